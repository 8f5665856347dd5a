import { formatIp } from '../../kit/ip-address.ts';
import type { Identity } from '../identity/identify.ts';

/** Properties of one query, if known. */
export type DebugFacts = {
  readonly identity: Identity;
  /** The property that identified the client. */
  readonly identifiedBy?: string | undefined;
  readonly client: Uint8Array;
  readonly country?: string | undefined;
  readonly asn?: number | undefined;
  readonly verdict: string;
  readonly rule?: string | undefined;
  readonly list?: string | undefined;
};

export type DebugAnswer =
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  /** Unknown clients are refused, so that they cannot detect the feature. */
  | { readonly kind: 'refused' };

const LONGEST_LINE = 255;

/** Response to a query of class CHAOS for the account's devices: one TXT record per line. */
export function debugAnswer(facts: DebugFacts): DebugAnswer {
  const { identity } = facts;
  if (identity.kind !== 'device') return { kind: 'refused' };
  const rows: readonly (readonly [name: string, value: string | number | undefined])[] = [
    ['client-ip', addressText(facts.client)],
    ['device-id', identity.device.id],
    ['identified-by', facts.identifiedBy],
    ['profile-id', identity.profile.id],
    ['country', facts.country],
    ['asn', facts.asn],
    ['verdict', facts.verdict],
    ['rule', facts.rule],
    ['list', facts.list],
  ];
  return {
    kind: 'lines',
    lines: rows.filter(([, value]) => value !== undefined).map(([name, value]) => cut(`${name}: ${value}`)),
  };
}

const addressText = (bytes: Uint8Array): string =>
  formatIp({ family: bytes.length === 4 ? 'V4' : 'V6', bytes: [...bytes] });

/** Truncates to the length of one TXT string, at a character boundary. */
function cut(line: string): string {
  const bytes = Buffer.from(line);
  return bytes.length <= LONGEST_LINE
    ? line
    : new TextDecoder().decode(bytes.subarray(0, LONGEST_LINE), { stream: true });
}
