import type { DeviceType } from './device.ts';
import { type ProfileId, parseProfileId } from './ids.ts';

/** Human-readable id of a device that registers itself. */
export type HumanId = {
  readonly type: DeviceType;
  readonly profile: ProfileId;
  /** Lower case; identifies the device. */
  readonly humanId: string;
  /** Display name: `My Phone` for `My-Phone`. */
  readonly name: string;
};

const typesByCode: Readonly<Record<string, DeviceType>> = {
  win: 'WINDOWS',
  adr: 'ANDROID',
  mac: 'MAC',
  ios: 'IOS',
  lnx: 'LINUX',
  rtr: 'ROUTER',
  stv: 'SMART_TV',
  gam: 'GAME_CONSOLE',
  otr: 'UNKNOWN',
};

const MAX_LENGTH = 50;
const MAX_TEXT_LENGTH = 512;

/** Parses `TYPE-SERVER-NAME`, for example `adr-abcd1234-My-Phone`, from a host name or path; undefined if it is invalid. */
export function parseHumanId(text: string): HumanId | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const [, code = '', server = '', rest = ''] = /^([a-z]{3})-([0-9a-f]{8})-(.+)$/is.exec(text) ?? [];
  const type = typeOf(code.toLowerCase());
  const profile = parseProfileId(server.toLowerCase());
  const cleaned = rest.replaceAll(/[^a-z0-9-]/gi, '');
  if (!type || !profile || !isWellFormed(cleaned)) return undefined;
  const humanId = cleaned.slice(0, MAX_LENGTH).replace(/-+$/, '');
  return { type, profile, humanId: humanId.toLowerCase(), name: nameOf(humanId) };
}

const typeOf = (code: string): DeviceType | undefined =>
  Object.hasOwn(typesByCode, code) ? typesByCode[code] : undefined;

const isWellFormed = (text: string): boolean => /^[a-z0-9](?:.*[a-z0-9])?$/i.test(text) && !text.includes('---');

/** A single hyphen becomes a space, two become a hyphen. */
const nameOf = (humanId: string): string =>
  humanId
    .split('--')
    .map((part) => part.replaceAll('-', ' '))
    .join('-');
