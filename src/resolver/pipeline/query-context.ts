import type { Accepted } from '../../dns/accept.ts';
import { type MessageWriter, newMessageWriter } from '../../dns/answers.ts';
import { rcodes } from '../../dns/numbers.ts';
import { newQuestion, type Question } from '../../dns/question.ts';
import type { Client as RuleClient } from '../../engine/match/conditions.ts';
import type { Rewritten } from '../../engine/verdict.ts';
import type { CachedAnswer } from '../cache/cache-entry.ts';
import type { Client } from '../identity/client.ts';
import type { Blocking } from '../policy/blocking.ts';
import type { Composition } from '../policy/policy.ts';
import type { DnsRequest } from '../transport/listener.ts';
import { DEFAULT_GROUP, type UpstreamGroup } from '../upstream/upstream-group.ts';
import type { RecordedRule, Status } from './query-recorder.ts';

/** The response that the `respond` step writes. `minimal`: the answer to type ANY (RFC 8482). */
type ResponseKind = 'drop' | 'code' | 'truncated' | 'minimal' | 'blocked' | 'message';

/** An answer in the format of the cache: a message without OPT, the offsets of its TTLs, and its targets (answer-targets.ts). */
export type AnswerMessage = {
  bytes: Uint8Array;
  at: number;
  length: number;
  /** Two bytes per TTL offset, little-endian. */
  offsets: DataView;
  offsetsAt: number;
  offsetCount: number;
  targets: Uint8Array;
  targetsAt: number;
  targetsLength: number;
  /** Age in seconds, subtracted from the TTLs. */
  ageSeconds: number;
  /** Replaces all TTLs of a stale answer; -1 for a fresh one. */
  staleTtl: number;
  /** Located in the shared cache, where it may be overwritten at any time. */
  isShared: boolean;
};

/** An upstream answer that was just received. */
export type ArrivedAnswer = {
  readonly keyHigh: number;
  readonly keyLow: number;
  readonly answer: CachedAnswer;
  /** Data of the upstream's extended error; not cached. */
  readonly reason: Uint8Array | undefined;
};

type MutableRuleClient = { -readonly [Key in keyof Required<RuleClient>]: RuleClient[Key] };

/** State of one query. Reused for the next query unless a lookup is in flight. */
export type QueryContext = {
  request: DnsRequest;
  readonly question: Question;
  accepted: Accepted;
  nowMs: number;
  /** Time of arrival; only the lowest 32 bits are used. */
  startedMs: number;
  /** Set by the `identify` step. */
  client: Client | undefined;
  /** Set by the `identify` step, and by the `local names` step for a forwarded name. */
  upstreamGroup: UpstreamGroup;
  /** Reused for each query: see `ruleClientOf`. */
  readonly ruleClient: MutableRuleClient;
  /** Set by the `decide` step. */
  composition: Composition | undefined;
  /** An allow rule matched the name, so the answer is not filtered. */
  isAllowed: boolean;
  rewrite: Rewritten | undefined;

  /** Key of the answer in the cache, set by the `cache` step. */
  keyHigh: number;
  keyLow: number;
  /** Key of an answer for all types of the name, set by the `cache` step for a miss. */
  allTypesHigh: number;
  allTypesLow: number;
  /** The `cache` step found no fresh answer, so the query can be sent to an upstream. */
  isMiss: boolean;
  /** The upstream answer of this query; the `cache` step uses it instead of the cache. */
  arrived: ArrivedAnswer | undefined;

  response: ResponseKind;
  code: number;
  /** Data of the extended DNS error (RFC 8914). */
  reason: Uint8Array | undefined;
  blocking: Blocking | undefined;
  /** The answer is authoritative: AA is set. */
  isAuthoritative: boolean;
  readonly message: AnswerMessage;

  /** Offset at which the response is written. */
  output: Uint8Array;
  outputAt: number;
  outputRoom: number;
  readonly writer: MessageWriter;
  /** Length of the response; 0 without a response. */
  length: number;

  status: Status;
  isRecorded: boolean;
  /** Recorded instead of a rule if no rule decided. */
  recordedReason: Uint8Array | undefined;
  /** The recorded rule, saved while a lookup is in flight. */
  rule: RecordedRule | undefined;
  /** Index of the step that needs a lookup. */
  step: number;
};

const NO_BYTES = new Uint8Array(0);
const NO_OFFSETS = new DataView(new ArrayBuffer(0));
const NO_REQUEST: DnsRequest = {
  bytes: NO_BYTES,
  at: 0,
  length: 0,
  transport: 'udp',
  client: NO_BYTES,
  clientPort: 0,
  local: NO_BYTES,
};

export const newQueryContext = (): QueryContext => ({
  request: NO_REQUEST,
  question: newQuestion(),
  accepted: 'drop',
  nowMs: 0,
  startedMs: 0,
  client: undefined,
  upstreamGroup: DEFAULT_GROUP,
  ruleClient: { name: undefined, address: undefined, tags: undefined },
  composition: undefined,
  isAllowed: false,
  rewrite: undefined,
  keyHigh: 0,
  keyLow: 0,
  allTypesHigh: 0,
  allTypesLow: 0,
  isMiss: false,
  arrived: undefined,
  response: 'drop',
  code: rcodes.NOERROR,
  reason: undefined,
  blocking: undefined,
  isAuthoritative: false,
  message: {
    bytes: NO_BYTES,
    at: 0,
    length: 0,
    offsets: NO_OFFSETS,
    offsetsAt: 0,
    offsetCount: 0,
    targets: NO_BYTES,
    targetsAt: 0,
    targetsLength: 0,
    ageSeconds: 0,
    staleTtl: -1,
    isShared: false,
  },
  output: NO_BYTES,
  outputAt: 0,
  outputRoom: 0,
  writer: newMessageWriter(NO_BYTES),
  length: 0,
  status: 'NONE',
  isRecorded: false,
  recordedReason: undefined,
  rule: undefined,
  step: 0,
});

/** Resets all fields that a step may read before another step has set them. */
export function beginQuery(context: QueryContext, request: DnsRequest): void {
  context.request = request;
  context.client = undefined;
  context.isAllowed = false;
  context.isMiss = false;
  context.reason = undefined;
  context.isAuthoritative = false;
  context.status = 'NONE';
  context.isRecorded = false;
  context.recordedReason = undefined;
}

/** The client in the form that rules use: name and tags of its device, and the source address of the query. */
export function ruleClientOf({ client, request, ruleClient }: QueryContext): RuleClient {
  const { name, tags } = client!.ruleClient;
  // Compared first, because writing a reference costs more (GC write barrier).
  if (ruleClient.name !== name) ruleClient.name = name;
  if (ruleClient.tags !== tags) ruleClient.tags = tags;
  if (ruleClient.address !== request.client) ruleClient.address = request.client;
  return ruleClient;
}

/** Milliseconds since the query arrived; 0 if the clock was set back. */
export function elapsedMs({ startedMs, nowMs }: QueryContext): number {
  const ms = (nowMs - startedMs) | 0;
  return ms > 0 ? ms : 0;
}

/** Sets the response to this code, with this extended error. */
export function setCode(context: QueryContext, code: number, reason?: Uint8Array): void {
  context.response = 'code';
  context.code = code;
  context.reason = reason;
}

/** Sets the response to this answer, which is not in shared memory. */
export function setAnswer(context: QueryContext, answer: CachedAnswer): void {
  const { message } = context;
  const { ttlOffsets, targets } = answer;
  context.response = 'message';
  message.bytes = answer.message;
  message.at = 0;
  message.length = answer.message.length;
  message.offsets = new DataView(ttlOffsets.buffer, ttlOffsets.byteOffset);
  message.offsetsAt = 0;
  message.offsetCount = ttlOffsets.length;
  message.targets = targets;
  message.targetsAt = 0;
  message.targetsLength = targets.length;
  message.ageSeconds = 0;
  message.staleTtl = -1;
  message.isShared = false;
}
