type Branded<Name extends string> = string & { readonly '': Name };

export type AccountId = Branded<'AccountId'>;
export type UserId = Branded<'UserId'>;
export type ProfileId = Branded<'ProfileId'>;
export type DeviceId = Branded<'DeviceId'>;
export type KeyId = Branded<'KeyId'>;

/** Eight hexadecimal digits: such an id is also a DNS label, by which a device is recognised. */
const isShortId = (text: string): boolean => /^[0-9a-f]{8}$/.test(text);

export const parseProfileId = (text: string): ProfileId | undefined =>
  isShortId(text) ? (text as ProfileId) : undefined;

export const parseDeviceId = (text: string): DeviceId | undefined => (isShortId(text) ? (text as DeviceId) : undefined);

/** From random bytes, at least four of them. */
export const shortId = (random: Uint8Array): string =>
  Array.from(random.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
