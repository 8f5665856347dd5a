import { toBase32 } from './letters.ts';

type Branded<Name extends string> = string & { readonly '': Name };

export type AccountId = Branded<'AccountId'>;
export type UserId = Branded<'UserId'>;
export type ProfileId = Branded<'ProfileId'>;
export type DeviceId = Branded<'DeviceId'>;
export type KeyId = Branded<'KeyId'>;

/** Eight hexadecimal digits. */
const isShortId = (text: string): boolean => /^[0-9a-f]{8}$/.test(text);

export const parseProfileId = (text: string): ProfileId | undefined =>
  isShortId(text) ? (text as ProfileId) : undefined;

/** A device id is a DNS label and, where no password is asked for, a secret. Older ones are short ids. */
export const DEVICE_ID_LENGTHS = { old: 8, new: 16 } as const;
export const RANDOM_BYTES_OF_DEVICE_ID = 10;

export const parseDeviceId = (text: string): DeviceId | undefined =>
  isShortId(text) || /^[a-z2-7]{16}$/.test(text) ? (text as DeviceId) : undefined;

/** 80 bits in base32, so that one cannot be guessed. Has no hyphen, as the names have that devices give themselves. */
export const deviceIdFrom = (random: Uint8Array): DeviceId =>
  toBase32(random.subarray(0, RANDOM_BYTES_OF_DEVICE_ID)).toLowerCase() as DeviceId;

/** From random bytes, at least four of them. */
export const shortId = (random: Uint8Array): string =>
  Array.from(random.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
