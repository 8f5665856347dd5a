import type { DeviceType } from './device.ts';
import { type ProfileId, parseProfileId } from './ids.ts';

/** How a device names itself where its DNS server lets devices connect by themselves. */
export type HumanId = {
  readonly type: DeviceType;
  readonly profile: ProfileId;
  /** Lower case: by it the device is known from then on. */
  readonly humanId: string;
  /** What people read, as `My Phone` of `My-Phone`. */
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

/** Reads `TYPE-SERVER-NAME`, as `adr-abcd1234-My-Phone`, from a host name or a path; undefined when it is none. */
export function parseHumanId(text: string): HumanId | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const [, code = '', server = '', rest = ''] = /^([a-z]{3})-([0-9a-f]{8})-(.+)$/is.exec(text) ?? [];
  const type = typeOf(code.toLowerCase());
  const profile = parseProfileId(server.toLowerCase());
  const given = rest.replaceAll(/[^a-z0-9-]/gi, '');
  if (!type || !profile || !isWellFormed(given)) return undefined;
  const humanId = given.slice(0, MAX_LENGTH).replace(/-+$/, '');
  return { type, profile, humanId: humanId.toLowerCase(), name: nameOf(humanId) };
}

const typeOf = (code: string): DeviceType | undefined =>
  Object.hasOwn(typesByCode, code) ? typesByCode[code] : undefined;

const isWellFormed = (text: string): boolean => /^[a-z0-9](?:.*[a-z0-9])?$/i.test(text) && !text.includes('---');

/** One hyphen stands for a space, two for a hyphen. */
const nameOf = (humanId: string): string =>
  humanId
    .split('--')
    .map((part) => part.replaceAll('-', ' '))
    .join('-');
