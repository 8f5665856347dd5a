type Branded<Name extends string> = string & { readonly '': Name };

export type AccountId = Branded<'AccountId'>;
export type UserId = Branded<'UserId'>;
export type ProfileId = Branded<'ProfileId'>;
export type DeviceId = Branded<'DeviceId'>;
export type KeyId = Branded<'KeyId'>;

const isShortId = (text: string): boolean => /^[0-9a-f]{8}$/.test(text);

export const parseProfileId = (text: string): ProfileId | undefined =>
  isShortId(text) ? (text as ProfileId) : undefined;

/** A device id is a DNS label and, without a required password, a secret. Older devices have short ids. */
export const DEVICE_ID_LENGTHS = { old: 8, new: 16 } as const;
export const RANDOM_BYTES_OF_DEVICE_ID = 8;

export const parseDeviceId = (text: string): DeviceId | undefined =>
  /^(?:[0-9a-f]{8}){1,2}$/.test(text) ? (text as DeviceId) : undefined;

/** 64 random bits; hexadecimal digits do not match searches by name. */
export const deviceIdFrom = (random: Uint8Array): DeviceId =>
  hex(random.subarray(0, RANDOM_BYTES_OF_DEVICE_ID)) as DeviceId;

/** Takes at least four random bytes. */
export const shortId = (random: Uint8Array): string => hex(random.subarray(0, 4));

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
