import { isIP, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { parseEmail } from '../domain/account-rules.ts';
import { type ProfileId, parseProfileId } from '../domain/ids.ts';
import { parseUpstream } from '../domain/upstream-address.ts';
import { readClickhouseUrl } from '../kit/clickhouse-url.ts';
import { unmapped } from '../kit/ip-address.ts';
import { parseCidr } from '../kit/ip-network.ts';
import { readPostgresUrl } from '../kit/postgres-hosts.ts';
import { err, ok, type Result } from '../kit/result.ts';

type ListenAddress = { readonly host: string; readonly port: number };

/** Parses one text. The error continues a sentence that starts with the text: `is not a size`. */
type Parse<T> = (text: string, cwd: string) => Result<T, string>;

/** The type of a setting. With `many` the value is a list, and each member is parsed from its own text. */
export type Kind<T = unknown, Many extends boolean = boolean> = {
  readonly many: Many;
  /** In the file, one value may be given without a list: earlier versions had one. */
  readonly mayBeOne?: true;
  /** Placeholder of the value in the help. */
  readonly value: string;
  readonly parse: Parse<T>;
  /** JSON schema of one value, for editors. */
  readonly schema: object;
};

/** A setting without a default is undefined unless given; an empty default is an empty list. */
export type Setting = {
  readonly name: string;
  /** The name in earlier versions. Works for one version, with a warning. */
  readonly formerName?: string;
  readonly kind: Kind;
  readonly default?: string;
  readonly section: (typeof sections)[number];
  readonly help: string;
};

export const sections = [
  'General',
  'Listening',
  'DNS',
  'Certificates',
  'Filtering',
  'DNS addresses',
  'Accounts',
  'Sources',
  'Limits',
  'Compilations',
  'Cache',
] as const;

const one = <T>(value: string, parse: Parse<T>, schema: object): Kind<T, false> => ({
  many: false,
  value,
  parse,
  schema,
});

const many = <T>(value: string, parse: Parse<T>, schema: object): Kind<T, true> => ({
  many: true,
  value,
  parse,
  schema,
});

export function listen(): Kind<ListenAddress, false> {
  return one('ADDRESS:PORT', parseListen, { type: 'string', pattern: ':\\d{1,5}$' });
}

/** In place of a host: loopback and the private addresses of this machine. */
export const PRIVATE_ADDRESSES = 'private';

export function listenOrOff(): Kind<ListenAddress | 'off', false> {
  const parse: Parse<ListenAddress | 'off'> = (text) => {
    if (text === 'off') return ok('off');
    const parsed = parseListen(text);
    return parsed.ok ? parsed : err(`${parsed.error}, nor off`);
  };
  return one('ADDRESS:PORT|off', parse, { type: 'string', pattern: ':\\d{1,5}$|^off$' });
}

function parseListen(text: string): Result<ListenAddress, string> {
  const match = /^(?:\[(?<ipv6>[^\]]*)\]|(?<name>[^:[\]]*)):(?<port>\d{1,5})$/.exec(text);
  const { ipv6, name, port } = match?.groups ?? {};
  const host = ipv6 ?? (name === '' ? ALL_ADDRESSES : name);
  const isHost = ipv6 === undefined ? name === '' || isIP(name ?? '') !== 0 || isHostName(name ?? '') : isIPv6(ipv6);
  if (host === undefined || !isHost || Number(port) > MAX_PORT)
    return err('is not an ADDRESS:PORT such as 127.0.0.1:8080');
  return ok({ host, port: Number(port) });
}

// Accepts IPv4 connections too, unless the system sets bindv6only.
const ALL_ADDRESSES = '::';
const MAX_PORT = 65_535;

type Bounds = { readonly min: number; readonly max: number };

/** A whole number with an optional unit behind it. */
function measured(
  noun: string,
  units: Readonly<Record<string, number>>,
  { min, max }: Bounds,
  write: (n: number) => string,
) {
  return (text: string): Result<number, string> => {
    const [, digits = '', unit = ''] = /^(\d+) ?([a-z]*)$/i.exec(text) ?? [];
    const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
    if (digits === '' || factor === undefined) return err(`is not ${noun}`);
    const number = Number(digits) * factor;
    if (number < min) return err(`is less than ${write(min)}`);
    return number > max ? err(`is more than ${write(max)}`) : ok(number);
  };
}

export function count(min: number, max: number): Kind<number, false> {
  const parse = measured('a whole number', { '': 1 }, { min, max }, String);
  return one('COUNT', parse, { type: 'integer', minimum: min, maximum: max });
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const MAX_SIZE = 1024 * GIB;
// MB is not accepted: it means a million bytes to some and a mebibyte to others.
const sizeUnits = { '': 1, B: 1, k: KIB, K: KIB, KiB: KIB, M: MIB, MiB: MIB, G: GIB, GiB: GIB };

export function size(min: number): Kind<number, false> {
  const noun = 'a size such as 10MiB, 512k, 1GiB or a number of bytes';
  const parse = measured(noun, sizeUnits, { min, max: MAX_SIZE }, writeSize);
  const texts = { type: 'string', pattern: `^\\d+ ?(${Object.keys(sizeUnits).filter(Boolean).join('|')})?$` };
  return one('SIZE', parse, { anyOf: [{ type: 'integer', minimum: min, maximum: MAX_SIZE }, texts] });
}

function writeSize(bytes: number): string {
  const [unit, factor] = Object.entries({ GiB: GIB, MiB: MIB, KiB: KIB }).find(([, each]) => bytes % each === 0) ?? [
    '',
    1,
  ];
  return `${bytes / factor}${unit}`;
}

const timeUnits = { '': 1, s: 1, m: 60, h: 3600 };

export function seconds(min: number, max: number): Kind<number, false> {
  const parse = measured('a time such as 90s, 5m or 1h', timeUnits, { min, max }, (n) => `${n}s`);
  const texts = { type: 'string', pattern: '^\\d+ ?[smh]?$' };
  return one('TIME', parse, { anyOf: [{ type: 'integer', minimum: min, maximum: max }, texts] });
}

export const folder = (): Kind<string, false> => path('FOLDER');
export const file = (): Kind<string, false> => path('FILE');

function path(value: string): Kind<string, false> {
  const parse: Parse<string> = (text, cwd) =>
    text === '' || text.includes('\0') ? err('is not a path') : ok(resolve(cwd, text));
  return one(value, parse, { type: 'string', minLength: 1 });
}

export const files = (): Kind<string, true> => ({ ...path('FILE'), many: true });
export const fileOrFiles = (): Kind<string, true> => ({ ...files(), mayBeOne: true });

export const choice = <const T extends string>(...values: readonly T[]): Kind<T, false> => choiceWithFormer({}, values);

/** A choice in which values of earlier versions still work. */
export function choiceWithFormer<const T extends string>(
  formerValues: Readonly<Record<string, T>>,
  values: readonly T[],
): Kind<T, false> {
  const parse: Parse<T> = (text) => {
    const current = Object.hasOwn(formerValues, text) ? formerValues[text] : text;
    const chosen = values.find((value) => value === current);
    return chosen === undefined ? err(`is not one of ${values.join(', ')}`) : ok(chosen);
  };
  return one(values.join('|'), parse, { enum: values });
}

export const networks = (): Kind<string, true> => many('NETWORK', parseNetworkText, { type: 'string' });

function parseNetworkText(text: string): Result<string, string> {
  const cidr = parseCidr(text);
  if (!cidr) return err('is not an IP address or network such as 10.0.0.0/8 or ::1');
  // Not everything that compares addresses reads mapped networks as IPv4.
  return unmapped(cidr.ip) === cidr.ip ? ok(text) : err('is an IPv4-mapped IPv6 address; write it as IPv4');
}

export const hostNames = (): Kind<string, true> => many('HOST', parseHostName, { type: 'string' });

function parseHostName(text: string): Result<string, string> {
  // domainToASCII silently drops the part of a URL behind the host name.
  const name = /[/?#\\%]/.test(text) ? '' : domainToASCII(text).replace(/\.$/, '');
  return isHostName(name) ? ok(name) : err('is not a host name such as lists.example.org');
}

/** A domain, or all subdomains of one as `*.d.example.org`. */
export function certificateDomains(): Kind<string, true> {
  const parse: Parse<string> = (given) => {
    const [, wildcard = '', name = ''] = /^(\*\.)?(.*)$/.exec(given) ?? [];
    const parsed = parseHostName(name);
    const isPublic = parsed.ok && parsed.value.includes('.') && !parsed.value.includes('_');
    return isPublic
      ? ok(wildcard + parsed.value.toLowerCase())
      : err('is not a domain such as dns.example.org or *.d.example.org');
  };
  return many('DOMAIN', parse, { type: 'string' });
}

export const zone = (): Kind<string, false> => one('DOMAIN', parseHostName, { type: 'string' });

export function email(): Kind<string, false> {
  const parse: Parse<string> = (given) => {
    const address = parseEmail(given);
    return address === undefined ? err('is not an e-mail address') : ok(address);
  };
  return one('EMAIL', parse, { type: 'string', pattern: '.+@.+' });
}

const acmeDirectories: Readonly<Record<string, string>> = {
  letsencrypt: 'https://acme-v02.api.letsencrypt.org/directory',
  'letsencrypt-staging': 'https://acme-staging-v02.api.letsencrypt.org/directory',
};

export function acmeDirectory(): Kind<string, false> {
  const parse: Parse<string> = (given) => {
    const known = Object.hasOwn(acmeDirectories, given) ? acmeDirectories[given] : undefined;
    if (known !== undefined || URL.parse(given)?.protocol === 'https:') return ok(known ?? given);
    return err(`is neither ${Object.keys(acmeDirectories).join(' nor ')} nor an https URL`);
  };
  return one('letsencrypt|letsencrypt-staging|URL', parse, { type: 'string' });
}

/** URL parsers read a name that ends in a number as an IPv4 address. */
const isHostName = (text: string): boolean =>
  text.length <= 253 &&
  text.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label)) &&
  !/(^|\.)\d+$/.test(text);

export function ports(): Kind<number, true> {
  const parse = measured('a port', { '': 1 }, { min: 1, max: MAX_PORT }, String);
  return many('PORT', parse, { type: 'integer', minimum: 1, maximum: MAX_PORT });
}

/** One host, with a port unless it is the default one. */
export function host(): Kind<string, false> {
  const parse: Parse<string> = (text) => {
    const [, name = '', port = ''] = /^([^:]+)((?::\d{1,5})?)$/.exec(text) ?? [];
    const parsed = parseHostName(name);
    return parsed.ok ? ok(parsed.value + port) : err('is not a host such as dns.example.org');
  };
  return one('HOST', parse, { type: 'string' });
}

export const addresses = (): Kind<string, true> =>
  many('ADDRESS', (given) => (isIP(given) === 0 ? err('is not an IP address') : ok(given)), { type: 'string' });

export const ipv4Addresses = (): Kind<string, true> =>
  many('ADDRESS', (given) => (isIP(given) === 4 ? ok(given) : err('is not an IPv4 address')), { type: 'string' });

/** An IPv6 network written as `2001:db8::/96`; the value has no prefix length. */
export function network96(): Kind<string, false> {
  const parse: Parse<string> = (given) => {
    const [address = '', bits] = given.split('/');
    return isIPv6(address) && bits === '96'
      ? ok(address)
      : err('is not an IPv6 network of 96 bits such as 2001:db8::/96');
  };
  return one('NETWORK', parse, { type: 'string', pattern: '/96$' });
}

export function text(maxLength: number): Kind<string, false> {
  const parse: Parse<string> = (given) =>
    given.length <= maxLength && !/\p{Cc}/u.test(given) && given.trim() !== ''
      ? ok(given)
      : err(`is not a text of at most ${maxLength} characters`);
  return one('TEXT', parse, { type: 'string', minLength: 1, maxLength });
}

export function systemUser(): Kind<string, false> {
  const form = /^([a-z_][a-z0-9_.-]{0,31}\$?|\d{1,9}(:\d{1,9})?)$/i;
  const parse: Parse<string> = (given) =>
    form.test(given)
      ? ok(given)
      : err('is neither auto nor off nor the name or number of a user, as weir or 65532:65532');
  return one('auto|off|USER', parse, { type: 'string', pattern: form.source });
}

export function url(...protocols: readonly string[]): Kind<string, false> {
  const parse: Parse<string> = (given) =>
    protocols.includes(URL.parse(given)?.protocol ?? '')
      ? ok(given)
      : err(`is not an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  return one('URL', parse, { type: 'string' });
}

/** One host or several, as libpq accepts them. */
export function postgresUrl(): Kind<string, false> {
  const parse: Parse<string> = (given) => {
    const read = readPostgresUrl(given);
    return read.ok ? ok(given) : read;
  };
  return one('URL', parse, { type: 'string' });
}

export function clickhouseUrl(): Kind<string, false> {
  const parse: Parse<string> = (given) => {
    const read = readClickhouseUrl(given);
    return read.ok ? ok(given) : read;
  };
  return one('URL', parse, { type: 'string', pattern: '^clickhouses?://' });
}

export function valkeyUrl(): Kind<string, false> {
  const parse: Parse<string> = (given) =>
    URL.canParse(given) && /^rediss?:$/.test(new URL(given).protocol) && new URL(given).hostname !== ''
      ? ok(given)
      : err('is not a URL such as redis://valkey.example:6379');
  return one('URL', parse, { type: 'string', pattern: '^rediss?://' });
}

/** `ID=URI`: an OAuth client and its redirect URI. */
export function clientRedirects(): Kind<{ readonly id: string; readonly redirectUri: string }, true> {
  const parse: Parse<{ id: string; redirectUri: string }> = (given) => {
    const [, id = '', redirectUri = ''] = /^([\w.-]{1,64})=(.+)$/.exec(given) ?? [];
    return URL.canParse(redirectUri)
      ? ok({ id, redirectUri })
      : err('is not ID=URI such as app=https://app.example/back');
  };
  return many('ID=URI', parse, { type: 'string', pattern: '^[\\w.-]{1,64}=.+' });
}

const upstreamSchema = { type: 'string' };

export const upstreams = (): Kind<string, true> => many('SERVER', parseUpstreamText, upstreamSchema);

/** Only checked here: the resolver parses it again, together with the bootstrap servers. */
function parseUpstreamText(given: string): Result<string, string> {
  const parsed = parseUpstream(given);
  return parsed.ok ? ok(given) : err(`is not a DNS server: ${parsed.error}`);
}

/** `DOMAIN=SERVER`; the same domain may be given several times. */
export function forwards(): Kind<{ readonly domain: string; readonly upstream: string }, true> {
  const parse: Parse<{ domain: string; upstream: string }> = (given) => {
    const [, domain = '', upstream = ''] = /^([^=]+)=(.+)$/.exec(given) ?? [];
    const parsed = parseHostName(domain);
    if (!parsed.ok) return err('is not DOMAIN=SERVER such as lan=192.168.1.1');
    const server = parseUpstreamText(upstream);
    return server.ok ? ok({ domain: parsed.value, upstream }) : server;
  };
  return many('DOMAIN=SERVER', parse, { type: 'string', pattern: '^[^=]+=.+' });
}

export function unknownClients(): Kind<'refuse' | ProfileId, false> {
  const parse: Parse<'refuse' | ProfileId> = (given) => {
    const id = given === 'refuse' ? given : parseProfileId(given.toLowerCase());
    return id === undefined ? err('is neither refuse nor the id of a DNS server, eight hexadecimal digits') : ok(id);
  };
  return one('refuse|ID', parse, { type: 'string', pattern: '^(refuse|[0-9a-fA-F]{8})$' });
}

/** Source of a list of domains: a URL or a local file. */
export function listSources(): Kind<string, true> {
  const parse: Parse<string> = (given, cwd) => {
    if (given === 'none' || /^catalogue:[\w-]+$/.test(given)) return ok(given);
    if (/^https?:\/\//i.test(given)) return URL.canParse(given) ? ok(given) : err('is not a URL');
    return given === '' || given.includes('\0') ? err('is neither a URL nor a file') : ok(resolve(cwd, given));
  };
  return many('URL|FILE|catalogue:ID|none', parse, { type: 'string', minLength: 1 });
}

export function operator(): Kind<string, false> {
  const parse: Parse<string> = (given) => {
    const email = given === 'first' || given === 'nobody' ? given : parseEmail(given);
    return email === undefined ? err('is neither first nor nobody nor an e-mail address') : ok(email);
  };
  return one('first|nobody|EMAIL', parse, { type: 'string', pattern: '^(first|nobody|.+@.+)$' });
}
