import { decode } from '../lines/text.ts';
import type { Format } from './format.ts';
import type { RewriteAnswer, Verdict } from './rule-effects.ts';

const MAX_ZONE_NAME = 32;

/** Response policy zone: each record gives a name or its wildcard the CNAME of a policy. */
export const rpz: Format = {
  comment: ';',
  annotation: `A response policy zone, to be loaded under a name of at most ${MAX_ZONE_NAME} characters`,
  opening: (header) => [
    '$TTL 300',
    `@ SOA localhost. root.localhost. ${serialOf(header)} 3600 600 604800 300`,
    '@ NS localhost.',
  ],
  reach: 'wildcard',
  linesFor: (self, below) => [...recordsFor('{}', self), ...recordsFor('*.{}', below)],
  whyNoRewrite,
  whyNoName: whyNoOwner,
};

/** Serial = compile time in seconds since 1970, so that it increases with every compilation. */
function serialOf(header: readonly string[]): number {
  const label = '! Last modified: ';
  const time = Date.parse(header.find((line) => line.startsWith(label))?.slice(label.length) ?? '');
  return Number.isNaN(time) ? 1 : Math.floor(time / 1000) % 2 ** 32;
}

function recordsFor(owner: string, verdict: Verdict): readonly string[] {
  if (typeof verdict === 'object') return sayRewrite(owner, verdict);
  if (verdict === 'none') return [];
  return [`${owner} CNAME ${verdict === 'block' ? '.' : 'rpz-passthru.'}`];
}

function sayRewrite(owner: string, answer: RewriteAnswer): readonly string[] {
  if (answer.kind === 'cname') return [`${owner} CNAME ${answer.target}.`];
  return answer.kind === 'addresses'
    ? answer.addresses.map((address) => `${owner} ${recordType(address)} ${address}`)
    : [];
}

/** Targets such as `rpz-drop` are policies. */
function whyNoRewrite(answer: RewriteAnswer): string | undefined {
  if (answer.kind === 'refused') return 'a policy zone cannot answer REFUSED';
  return answer.kind === 'cname' && /(?:^|\.)rpz-[^.]*$/.test(answer.target)
    ? 'policy zones reserve targets that begin with "rpz-"'
    : undefined;
}

/** Record type of an address. */
export const recordType = (address: string): 'A' | 'AAAA' => (address.includes(':') ? 'AAAA' : 'A');

// 255 octets (RFC 1035, section 2.3.4) for `*.`, the name, the zone name and the root.
const MAX_OWNER = 255 - '*.'.length - 1 - MAX_ZONE_NAME - 2;

// Reserved for policies on addresses and name servers; a name below them would be a different type of rule.
const reserved = new Set(['rpz-ip', 'rpz-client-ip', 'rpz-nsip', 'rpz-nsdname']);
const DOT = 0x2e;
const LOWER_R = 0x72;

function whyNoOwner(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start > MAX_OWNER) return `a name in a policy zone has at most ${MAX_OWNER} characters`;
  let from = end;
  while (from > start && bytes[from - 1] !== DOT) from--;
  if (bytes[from] !== LOWER_R || !reserved.has(decode(bytes, from, end))) return undefined;
  return `policy zones reserve the names under ${decode(bytes, from, end)}`;
}
