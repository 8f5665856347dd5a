import type { Message, ResourceRecord } from '../../dns/message.ts';
import { rcodes, types } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import { readMessage } from '../../dns/read-message.ts';
import { isPrivateAddress } from '../../kit/private-address.ts';
import { type Dns64Prefix, embedAddress } from '../local-names/dns64.ts';
import { isAddressTarget, targetLength } from './answer-targets.ts';
import type { AnswerMessage, QueryContext } from './query-context.ts';
import type { Resolved } from './resolve.ts';
import { syntheticAnswer } from './synthetic-answers.ts';

// Maximum TTL if the answer to the AAAA query has no SOA record (RFC 6147, 5.1.7).
const MAX_TTL_WITHOUT_SOA = 600;
const V6_LENGTH = 16;
const FLAGS_LOW = 3;

/** Validating clients must get the signed answers unchanged (RFC 6147, 5.5). */
export const mayNeedDns64 = (dns64: Dns64Prefix | undefined, { type, dnssecOk, checkingDisabled }: Question): boolean =>
  dns64 !== undefined && type === types.AAAA && !(dnssecOk && checkingDisabled);

type Examined = Pick<AnswerMessage, 'bytes' | 'at' | 'targets' | 'targetsAt' | 'targetsLength'>;

/** Whether an answer to an AAAA query is final: it has an address, or the name does not exist. Allocates nothing. */
export function needsNoDns64({ bytes, at, targets, targetsAt, targetsLength }: Examined): boolean {
  if ((bytes[at + FLAGS_LOW]! & 0xf) === rcodes.NXDOMAIN) return true;
  for (let target = targetsAt; target < targetsAt + targetsLength; target += 1 + targetLength(targets[target]!)) {
    const head = targets[target]!;
    if (isAddressTarget(head) && targetLength(head) === V6_LENGTH && !isMapped(targets, target + 1)) return true;
  }
  return false;
}

/** ::ffff:0:0/96 is not an address of a host (RFC 6147, 5.1.4). */
function isMapped(bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < 10; i++) if (bytes[at + i] !== 0) return false;
  return bytes[at + 10] === 0xff && bytes[at + 11] === 0xff;
}

type ResolveType = (type: number) => Promise<Resolved>;

/** Answers an AAAA query with IPv4 addresses embedded in the prefix if the name has no IPv6 address (RFC 6147, 5.1). */
export async function synthesizeAaaa(
  { request, question }: QueryContext,
  dns64: Dns64Prefix,
  first: Resolved,
  resolve: ResolveType,
): Promise<Resolved> {
  if (first.kind !== 'failed' && isFinal(first)) return first;
  const second = await resolve(types.A);
  const translated = second.kind === 'failed' ? undefined : translate(second.answer.message, dns64);
  if (second.kind === 'failed' || !translated) return first;
  const age = second.kind === 'fresh' ? second.ageSeconds : 0;
  const maxTtl = first.kind === 'failed' ? MAX_TTL_WITHOUT_SOA : negativeTtl(first);
  const answer = translated.map((record) => ({ ...record, ttl: Math.min(maxTtl, Math.max(0, record.ttl - age)) }));
  const made = syntheticAnswer(request.bytes, question, { answer });
  // Rules and the rebinding protection apply to the IPv4 addresses.
  const withTargets = { ...made, targets: second.answer.targets };
  return second.kind === 'stale'
    ? { kind: 'stale', answer: withTargets }
    : { kind: 'fresh', answer: withTargets, ageSeconds: 0 };
}

function isFinal({ answer }: Exclude<Resolved, { kind: 'failed' }>): boolean {
  const { message, targets } = answer;
  return needsNoDns64({ bytes: message, at: 0, targets, targetsAt: 0, targetsLength: targets.length });
}

function negativeTtl({ answer }: Exclude<Resolved, { kind: 'failed' }>): number {
  const message = readMessage(answer.message);
  const soa = message.ok ? message.value.authority.find(({ type }) => type === types.SOA) : undefined;
  return soa?.ttl ?? MAX_TTL_WITHOUT_SOA;
}

/** Aliases and translated addresses; undefined if the answer has no address that can be translated. */
function translate(bytes: Uint8Array, dns64: Dns64Prefix): readonly ResourceRecord[] | undefined {
  const message = readMessage(bytes);
  if (!message.ok || message.value.rcode !== rcodes.NOERROR) return undefined;
  const records = message.value.answer.flatMap((record) => translateRecord(record, dns64));
  return records.some(({ type }) => type === types.AAAA) ? records : undefined;
}

function translateRecord(record: Message['answer'][number], dns64: Dns64Prefix): readonly ResourceRecord[] {
  if (record.type === types.CNAME || record.type === types.DNAME) return [record];
  if (record.type !== types.A || record.data.length !== 4) return [];
  if (dns64.isWellKnown && isPrivateAddress(record.data, 0, record.data.length)) return [];
  return [{ ...record, type: types.AAAA, data: embedAddress(dns64, record.data) }];
}
