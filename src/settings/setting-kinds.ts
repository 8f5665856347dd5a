import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type Type from 'typebox';
import type { StaticDecode, TEnum, TSchema, TString, TStringOptions } from 'typebox';
import { parseEmail } from '../domain/account-rules.ts';
import { type ProfileId, parseProfileId } from '../domain/ids.ts';
import { parseUpstream } from '../domain/upstream-address.ts';
import { readClickhouseUrl } from '../kit/clickhouse-url.ts';
import { unmapped } from '../kit/ip-address.ts';
import { parseCidr } from '../kit/ip-network.ts';
import { readPostgresUrl } from '../kit/postgres-hosts.ts';
import type { Result } from '../kit/result.ts';
import {
  acmeDirectoryNames,
  acmeDirectoryUrl,
  addressOfNetwork96,
  certificateDomain,
  clientRedirect,
  domainForward,
  hostName,
  hostWithPort,
  isValkeyUrl,
  type ListenAddress,
  listenAddress,
  MAX_PORT,
  quantity,
} from './setting-formats.ts';

/** Creates a schema. TypeBox is an argument, because the help does not need it and loading it takes 20 ms. */
type MakeSchema<Schema extends TSchema> = (type: typeof Type) => Schema;

/** The type of a setting. With `many` the value is a list, and the schema is that of a member. */
export type Kind<Schema extends TSchema = TSchema, Many extends boolean = boolean> = {
  readonly many: Many;
  /** In the file, a single value may be given without a list, because earlier versions accepted only one. */
  readonly mayBeOne?: true;
  /** Placeholder of the value in the help. */
  readonly value: string;
  /** Schema of the value in the settings file. It decodes to the value that the program uses. */
  readonly schema: MakeSchema<Schema>;
  /** The error for an invalid value. It continues a sentence that starts with the value: `is not a size`. */
  readonly problem: string;
  /** The values of a choice. */
  readonly choices?: readonly string[];
  /** Values of earlier versions that still work. */
  readonly formerValues?: Readonly<Record<string, string>>;
  /** Resolves a relative path. */
  readonly inFolder?: (value: string, folder: string) => string;
};

/** The value that the program uses, derived from the schema. */
export type Decoded<K> =
  K extends Kind<infer Schema, infer Many>
    ? Many extends true
      ? readonly StaticDecode<Schema>[]
      : StaticDecode<Schema>
    : never;

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

const one = <Schema extends TSchema>(
  value: string,
  problem: string,
  schema: MakeSchema<Schema>,
): Kind<Schema, false> => ({
  many: false,
  value,
  problem,
  schema,
});

const many = <Schema extends TSchema>(
  value: string,
  problem: string,
  schema: MakeSchema<Schema>,
): Kind<Schema, true> => ({
  ...one(value, problem, schema),
  many: true,
});

const string =
  (options: TStringOptions = {}): MakeSchema<TString> =>
  (type) =>
    type.String(options);

/** Adds a check that JSON schema cannot express. Default error: that of the kind. */
const withRule =
  <Schema extends TSchema>(
    schema: MakeSchema<Schema>,
    isValid: (text: string) => boolean,
    problem: (text: string) => string = () => '',
  ) =>
  (type: typeof Type) =>
    type.Refine(
      schema(type),
      (value: unknown) => isValid(String(value)),
      (value: unknown) => problem(String(value)),
    );

/** A text that is decoded; `decode` returns undefined if it is invalid. */
const decodedText = <T>(decode: (text: string) => T | undefined, options: TStringOptions = {}) => {
  const schema = withRule(string(options), (text) => decode(text) !== undefined);
  // Invalid texts are not decoded.
  return (type: typeof Type) => type.Decode(schema(type), (text): T => decode(text) as T);
};

/** A string that is used unchanged, unless `read` rejects it. */
const checkedText = (read: (text: string) => Result<unknown, string>) =>
  withRule(
    string(),
    (text) => read(text).ok,
    (text) => problemOf(read(text)),
  );

const problemOf = (result: Result<unknown, string>): string => (result.ok ? '' : result.error);

const NOT_LISTEN_ADDRESS = 'is not an ADDRESS:PORT such as 127.0.0.1:8080';

export const listen = () =>
  one('ADDRESS:PORT', NOT_LISTEN_ADDRESS, decodedText(listenAddress, { pattern: ':\\d{1,5}$' }));

/** Used instead of a host: loopback and the private addresses of this machine. */
export const PRIVATE_ADDRESSES = 'private';

export function listenOrOff() {
  const decode = (text: string): ListenAddress | 'off' | undefined => (text === 'off' ? text : listenAddress(text));
  const schema = decodedText(decode, { pattern: ':\\d{1,5}$|^off$' });
  return one('ADDRESS:PORT|off', `${NOT_LISTEN_ADDRESS}, nor off`, schema);
}

export const count = (minimum: number, maximum: number) =>
  one('COUNT', 'is not a whole number', (type) => type.Integer({ minimum, maximum }));

export const ports = () => many('PORT', 'is not a port', (type) => type.Integer({ minimum: 1, maximum: MAX_PORT }));

type Measure = {
  readonly units: Readonly<Record<string, number>>;
  readonly min: number;
  readonly max: number;
  /** Pattern of a text with a unit. */
  readonly pattern: string;
  readonly write: (value: number) => string;
};

/** A number, or a text with a number and a unit. */
function measured({ units, min, max, pattern, write }: Measure) {
  const decode = (text: string): number => quantity(text, units) ?? Number.NaN;
  const numberOrText = (type: typeof Type) =>
    type.Union([type.Integer({ minimum: min, maximum: max }), type.String({ pattern })]);
  const atLeast = withRule(
    numberOrText,
    (text) => decode(text) >= min,
    () => `is less than ${write(min)}`,
  );
  const atMost = withRule(
    atLeast,
    (text) => decode(text) <= max,
    () => `is more than ${write(max)}`,
  );
  return (type: typeof Type) => type.Decode(atMost(type), (value): number => decode(String(value)));
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const MAX_SIZE = 1024 * GIB;
// MB is rejected as ambiguous: a million bytes or a mebibyte.
const sizeUnits = { '': 1, B: 1, k: KIB, K: KIB, KiB: KIB, M: MIB, MiB: MIB, G: GIB, GiB: GIB };

export function size(min: number) {
  const pattern = `^\\d+ ?(${Object.keys(sizeUnits).filter(Boolean).join('|')})?$`;
  const schema = measured({ units: sizeUnits, min, max: MAX_SIZE, pattern, write: writeSize });
  return one('SIZE', 'is not a size such as 10MiB, 512k, 1GiB or a number of bytes', schema);
}

function writeSize(bytes: number): string {
  const [unit, factor] = Object.entries({ GiB: GIB, MiB: MIB, KiB: KIB }).find(
    ([, unitBytes]) => bytes % unitBytes === 0,
  ) ?? ['', 1];
  return `${bytes / factor}${unit}`;
}

const timeUnits = { '': 1, s: 1, m: 60, h: 3600 };

export function seconds(min: number, max: number) {
  const schema = measured({ units: timeUnits, min, max, pattern: '^\\d+ ?[smh]?$', write: (n) => `${n}s` });
  return one('TIME', 'is not a time such as 90s, 5m or 1h', schema);
}

const isPath = (text: string): boolean => text !== '' && !text.includes('\0');
const inFolder = (path: string, folder: string): string => resolve(folder, path);

const path = (value: string) => ({
  ...one(value, 'is not a path', withRule(string({ minLength: 1 }), isPath)),
  inFolder,
});

export const folder = () => path('FOLDER');
export const file = () => path('FILE');
export const files = () => ({ ...path('FILE'), many: true as const });
export const fileOrFiles = () => ({ ...files(), mayBeOne: true as const });

export const choice = <const T extends string>(...values: readonly T[]): Kind<TEnum<T[]>, false> => ({
  ...one(values.join('|'), `is not one of ${values.join(', ')}`, (type) => type.Enum<T[]>(values)),
  choices: values,
});

/** A choice in which values of earlier versions still work. */
export const choiceWithFormer = <const T extends string>(
  formerValues: Readonly<Record<string, T>>,
  values: readonly T[],
): Kind<TEnum<T[]>, false> => ({ ...choice(...values), formerValues });

export function networks() {
  const isNetwork = withRule(string(), (text) => parseCidr(text) !== undefined);
  // Rejected, because not all code that compares addresses treats mapped networks as IPv4.
  const schema = withRule(isNetwork, isUnmapped, () => 'is an IPv4-mapped IPv6 address; write it as IPv4');
  return many('NETWORK', 'is not an IP address or network such as 10.0.0.0/8 or ::1', schema);
}

function isUnmapped(network: string): boolean {
  const ip = parseCidr(network)?.ip;
  return ip === undefined || unmapped(ip) === ip;
}

const NOT_HOST_NAME = 'is not a host name such as lists.example.org';

export const hostNames = () => many('HOST', NOT_HOST_NAME, decodedText(hostName));

export const zone = () => one('DOMAIN', NOT_HOST_NAME, decodedText(hostName));

export const certificateDomains = () =>
  many('DOMAIN', 'is not a domain such as dns.example.org or *.d.example.org', decodedText(certificateDomain));

export const email = () => one('EMAIL', 'is not an e-mail address', decodedText(parseEmail, { pattern: '.+@.+' }));

export const acmeDirectory = () =>
  one(
    [...acmeDirectoryNames, 'URL'].join('|'),
    `is neither ${acmeDirectoryNames.join(' nor ')} nor an https URL`,
    decodedText(acmeDirectoryUrl),
  );

/** One host, with a port unless it is the default one. */
export const host = () => one('HOST', 'is not a host such as dns.example.org', decodedText(hostWithPort));

export const addresses = () =>
  many(
    'ADDRESS',
    'is not an IP address',
    withRule(string(), (text) => isIP(text) !== 0),
  );

export const ipv4Addresses = () =>
  many(
    'ADDRESS',
    'is not an IPv4 address',
    withRule(string(), (text) => isIP(text) === 4),
  );

/** An IPv6 network written as `2001:db8::/96`; the value has no prefix length. */
export const network96 = () =>
  one(
    'NETWORK',
    'is not an IPv6 network of 96 bits such as 2001:db8::/96',
    decodedText(addressOfNetwork96, { pattern: '/96$' }),
  );

export function text(maxLength: number) {
  const isText = (value: string): boolean => value.length <= maxLength && !/\p{Cc}/u.test(value) && value.trim() !== '';
  const schema = withRule(string({ minLength: 1, maxLength }), isText);
  return one('TEXT', `is not a text of at most ${maxLength} characters`, schema);
}

export const systemUser = () =>
  one(
    'auto|off|USER',
    'is neither auto nor off nor the name or number of a user, as weir or 65532:65532',
    string({ pattern: '^([a-zA-Z_][a-zA-Z0-9_.-]{0,31}\\$?|\\d{1,9}(:\\d{1,9})?)$' }),
  );

export const url = (...protocols: readonly string[]) =>
  one(
    'URL',
    `is not an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    withRule(string(), (value) => protocols.includes(URL.parse(value)?.protocol ?? '')),
  );

/** One host or several, as libpq accepts them. */
export const postgresUrl = () => one('URL', 'is not a URL', checkedText(readPostgresUrl));

export const clickhouseUrl = () => one('URL', 'is not a URL', checkedText(readClickhouseUrl));

export const valkeyUrl = () =>
  one('URL', 'is not a URL such as redis://valkey.example:6379', withRule(string(), isValkeyUrl));

/** `ID=URI`: an OAuth client and its redirect URI. */
export const clientRedirects = () =>
  many(
    'ID=URI',
    'is not ID=URI such as app=https://app.example/back',
    decodedText(clientRedirect, { pattern: '^[\\w.-]{1,64}=.+' }),
  );

const notUpstream = (text: string): string => `is not a DNS server: ${problemOf(parseUpstream(text))}`;

/** Only checked here: the resolver parses them again, together with the bootstrap servers. */
export const upstreams = () =>
  many(
    'SERVER',
    'is not a DNS server',
    withRule(string(), (text) => parseUpstream(text).ok, notUpstream),
  );

/** `DOMAIN=SERVER`; the same domain may be given several times. */
export function forwards() {
  const upstreamOf = (text: string): string => domainForward(text)?.upstream ?? '';
  const withDomain = withRule(string({ pattern: '^[^=]+=.+' }), (text) => domainForward(text) !== undefined);
  const schema = withRule(
    withDomain,
    (text) => parseUpstream(upstreamOf(text)).ok,
    (text) => notUpstream(upstreamOf(text)),
  );
  return many('DOMAIN=SERVER', 'is not DOMAIN=SERVER such as lan=192.168.1.1', (type) =>
    type.Decode(schema(type), (text) => domainForward(text)!),
  );
}

export function unknownClients() {
  const decode = (text: string): 'refuse' | ProfileId | undefined =>
    text === 'refuse' ? text : parseProfileId(text.toLowerCase());
  return one(
    'refuse|ID',
    'is neither refuse nor the id of a DNS server, eight hexadecimal digits',
    decodedText(decode, { pattern: '^(refuse|[0-9a-fA-F]{8})$' }),
  );
}

/** Sources of a list of domains: URLs, local files, lists of the catalogue. */
export function listSources() {
  const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);
  const validUrl = withRule(
    string({ minLength: 1 }),
    (text) => !isUrl(text) || URL.canParse(text),
    () => 'is not a URL',
  );
  const isFile = (text: string): boolean => text !== 'none' && !/^catalogue:[\w-]+$/.test(text) && !isUrl(text);
  return {
    ...many('URL|FILE|catalogue:ID|none', 'is neither a URL nor a file', withRule(validUrl, isPath)),
    inFolder: (text: string, folder: string): string => (isFile(text) ? inFolder(text, folder) : text),
  };
}

export function operator() {
  const decode = (text: string): string | undefined =>
    text === 'first' || text === 'nobody' ? text : parseEmail(text);
  return one(
    'first|nobody|EMAIL',
    'is neither first nor nobody nor an e-mail address',
    decodedText(decode, { pattern: '^(first|nobody|.+@.+)$' }),
  );
}
