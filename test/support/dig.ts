import { parse } from 'yaml';
import { run } from './programs.ts';

/** An answer as dig prints it. */
export type Dug = {
  readonly status: string;
  readonly flags: readonly string[];
  readonly answer: readonly string[];
  readonly authority: readonly string[];
  /** Number and text of the extended error. */
  readonly extendedError: number | undefined;
  readonly extraText: string | undefined;
  readonly cookie: string | undefined;
  readonly isPadded: boolean;
  readonly hasEdns: boolean;
  readonly bytes: number;
  readonly protocol: string;
  /** Everything that the program printed, for the message of a failed test. */
  readonly text: string;
};

/** Transport, and the identification of the device. */
export type Over = 'udp' | 'tcp' | 'dot' | 'doh';
export const overs: readonly Over[] = ['udp', 'tcp', 'dot', 'doh'];

export type Digging = {
  readonly ports: Readonly<Record<'dns' | 'dot' | 'doh', number>>;
  /** Certificate of the service, which is trusted. */
  readonly certificate: string;
  readonly deviceDomain: string;
};

const option = (device: string): string => `+ednsopt=65074:${Buffer.from(device).toString('hex')}`;

const wordsOver = (
  over: Over,
  { ports, certificate, deviceDomain }: Digging,
  device: string | undefined,
): readonly string[] => {
  const plain = ['-p', `${ports.dns}`, ...(device === undefined ? [] : [option(device)])];
  const serverName = device === undefined ? deviceDomain : `${device}.${deviceDomain}`;
  return {
    udp: plain,
    tcp: [...plain, '+tcp'],
    dot: ['-p', `${ports.dot}`, `+tls-ca=${certificate}`, `+tls-hostname=${serverName}`, `+tls-sni=${serverName}`],
    doh: ['-p', `${ports.doh}`, `+https=/dns-query${device === undefined ? '' : `/${device}`}`],
  }[over];
};

/** Sends a query as this device; undefined without an answer. */
export const digAs = async (...query: Parameters<typeof tryDig>): Promise<Dug | undefined> =>
  (await tryDig(...query)).dug;

/** The same with everything that the program printed. kdig is used over TLS: dig 9.18 does not send SNI. */
export async function tryDig(
  digging: Digging,
  device: string | undefined,
  over: Over,
  words: readonly string[],
): Promise<{ readonly dug: Dug | undefined; readonly text: string }> {
  const at = words.some((word) => word.startsWith('@')) ? [] : ['@127.0.0.1'];
  const where = [...at, ...wordsOver(over, digging, device)];
  const isOverTls = over === 'dot';
  const { stdout, text } = isOverTls
    ? await output('kdig', [...where, '+retry=0', '+time=10', ...words])
    : await output('dig', [...where, '+yaml', '+tries=1', '+time=10', ...words]);
  const dug = isOverTls ? readKdig(stdout) : readDig(stdout);
  return { dug: dug && { ...dug, text }, text };
}

async function output(program: string, words: readonly string[]) {
  const { code, stdout, stderr } = await run(program, words);
  const text = `${program} ${words.join(' ')} (${code}):\n${stdout}${stderr}`;
  const isWordedWrongly = /Invalid option|unexpected argument|Usage:|couldn't/.test(stderr + stdout);
  if (isWordedWrongly || code === 'ENOENT') throw new Error(text);
  return { stdout, text };
}

type Section = Readonly<Record<string, unknown>>;

function readDig(yaml: string): Omit<Dug, 'text'> | undefined {
  // Of several messages (a truncated one, then one over TCP), the last is used.
  const { message } = (parse(mended(yaml), { uniqueKeys: false }) as { message: Section }[]).at(-1)!;
  const said = message['response_message_data'] as Section | undefined;
  if (!said) return undefined;
  const edns = (said['OPT_PSEUDOSECTION'] as { EDNS: Section } | undefined)?.EDNS;
  const error = edns?.['EDE'] as Section | undefined;
  return {
    status: String(said['status']),
    flags: String(said['flags']).split(' '),
    answer: (said['ANSWER_SECTION'] ?? []) as string[],
    authority: (said['AUTHORITY_SECTION'] ?? []) as string[],
    extendedError: error && Number.parseInt(String(error['INFO-CODE']), 10),
    extraText: error?.['EXTRA-TEXT'] as string | undefined,
    cookie: edns?.['COOKIE'] as string | undefined,
    isPadded: edns?.['PAD'] !== undefined,
    hasEdns: edns !== undefined,
    bytes: Number.parseInt(String(message['message_size']), 10),
    protocol: String(message['socket_protocol']),
  };
}

/** Escapes texts for YAML, and normalises the unspecified IPv6 address. */
const mended = (yaml: string): string =>
  yaml
    .replaceAll(/(EXTRA-TEXT: )"(.*)"$/gm, (_, title: string, words: string) => title + JSON.stringify(words))
    .replaceAll(/ AAAA ::0'/g, " AAAA ::'");

function readKdig(text: string): Omit<Dug, 'text'> | undefined {
  const part = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
  const status = part(/status: (\w+)/);
  if (status === undefined) return undefined;
  const section = (title: string): readonly string[] =>
    (part(new RegExp(`^;; ${title} SECTION:\\n((?:[^;\\n].*\\n)*)`, 'm')) ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replaceAll(/\s+/g, ' '));
  const error = part(/^;; EDE: (\d+)/m);
  return {
    status,
    flags: part(/^;; Flags: ([\w ]*)/m)!.split(' '),
    answer: section('ANSWER'),
    authority: section('AUTHORITY'),
    extendedError: error === undefined ? undefined : Number(error),
    extraText: part(/^;; EDE: \d+ \([^)]*\): '(.*)'/m),
    cookie: part(/^;; COOKIE: (.*)/m),
    isPadded: /^;; PADDING/m.test(text),
    hasEdns: text.includes('EDNS PSEUDOSECTION'),
    bytes: Number(part(/^;; Received (\d+) B/m)),
    protocol: 'TLS',
  };
}
