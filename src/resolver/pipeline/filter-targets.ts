import { types } from '../../dns/numbers.ts';
import type { Client as RuleClient } from '../../engine/match/conditions.ts';
import type { Answer, Decider } from '../../engine/match/decide.ts';
import { createVerdict, type Verdict } from '../../engine/verdict.ts';
import type { Client } from '../identity/client.ts';
import type { IsRebinding } from '../policy/rebinding.ts';
import { isAddressTarget, targetLength } from './answer-targets.ts';
import { type QueryContext, ruleClientOf } from './query-context.ts';
import type { QueryRecorder } from './query-recorder.ts';
import { isAtOrUnder } from './wire-suffix.ts';

/** Recorded instead of a rule if the answer is not blocked by a rule. */
export const REBINDING_PROTECTION = 'rebinding protection';
export const ACCESS_SETTINGS = 'access settings';

const encoder = new TextEncoder();
const rebindingText = encoder.encode(REBINDING_PROTECTION);
const accessText = encoder.encode(ACCESS_SETTINGS);

export function isPrivateDomain({ privateDomains }: Client, bytes: Uint8Array, at: number, end: number): boolean {
  for (const domain of privateDomains) if (isAtOrUnder(bytes, at, end, domain)) return true;
  return false;
}

export type TargetFilter = ReturnType<typeof createTargetFilter>;

type Location = { readonly country?: string | undefined; readonly asn?: number | undefined };

export type TargetFilterDeps = {
  readonly decider: Decider;
  readonly recorder: Pick<QueryRecorder, 'setRule' | 'setAddress'>;
  readonly isRebinding: IsRebinding;
  /** GeoIP lookup, for rules about countries and networks. */
  readonly locate?: ((address: Uint8Array) => Location) | undefined;
};

/**
 * Filters the targets of an answer: the names and addresses in it, as packed by answer-targets.ts. Applied to every answer, cached or
 * fresh, with the policy of the client. Allocates nothing without a GeoIP database.
 */
export function createTargetFilter({ decider, recorder, isRebinding, locate }: TargetFilterDeps) {
  const name = {
    kind: 'name' as const,
    name: new Uint8Array(0) as Uint8Array,
    at: 0,
    type: types.CNAME,
    client: undefined as RuleClient | undefined,
  } satisfies Answer;
  const ipv4 = {
    kind: 'address' as const,
    address: new Uint8Array(4),
    type: types.A as number,
    client: undefined as RuleClient | undefined,
  };
  const ipv6 = { ...ipv4, address: new Uint8Array(16), type: types.AAAA as number };
  /** Blocked without a rule. */
  const FORBIDDEN: Verdict = { ...createVerdict(), kind: 'block' };

  /** Verdict on the target at `at`, whose first byte is `head`. */
  const decideTarget = (context: QueryContext, at: number, head: number): Verdict => {
    const { targets } = context.message;
    const ruleClient = ruleClientOf(context);
    const { profile } = context.composition!;
    if (!isAddressTarget(head)) {
      name.name = targets;
      name.at = at;
      name.client = ruleClient;
      return decider.decideAnswer(name, profile);
    }
    const answer = targetLength(head) === 4 ? ipv4 : ipv6;
    for (let i = 0; i < answer.address.length; i++) answer.address[i] = targets[at + i]!;
    answer.client = ruleClient;
    const verdict = decider.decideAnswer(answer, profile);
    return locate && verdict.kind === 'pass' ? decideLocation(context, locate(answer.address)) : verdict;
  };

  /** Verdict of the rules about countries and networks on the query name, for an address at this location. */
  const decideLocation = (context: QueryContext, { country, asn }: Location): Verdict => {
    const { request, question, composition } = context;
    const { type, nameAt: at } = question;
    const answer = { kind: 'location' as const, name: request.bytes, at, type, client: ruleClientOf(context) };
    return decider.decideAnswer({ ...answer, country, network: asn }, composition!.profile);
  };

  /** Whether the target is blocked regardless of the rules. `at` is after the first byte of the target. */
  const isForbidden = (context: QueryContext, at: number, head: number): boolean => {
    const { request, question, message } = context;
    if (isAddressTarget(head))
      return isRebinding(request.bytes, question, message.targets, at, targetLength(head)) && !mayBePrivate(context);
    return !context.client!.hasAccess(request.client, undefined, message.targets, at, question.type);
  };

  /** The name has a forwarding rule of the account, or the account allows private addresses for it. */
  const mayBePrivate = ({ client, request, question, upstreamGroup }: QueryContext): boolean =>
    upstreamGroup.kind === 'forward' || isPrivateDomain(client!, request.bytes, question.nameAt, question.nameEnd);

  const filter = {
    /** An allow rule matched a target; the rule is recorded. */
    isAllowed: false,
    /** Reason if the resolver blocks the answer without a rule; undefined otherwise. */
    reason: undefined as Uint8Array | undefined,
    /** The verdict that blocks the answer, valid until the next decision. Records the first address. */
    blockedBy(context: QueryContext): Verdict | undefined {
      const { targets, targetsAt, targetsLength } = context.message;
      const end = targetsAt + targetsLength;
      filter.isAllowed = false;
      filter.reason = undefined;
      decider.startAnswer();
      let hasAddress = false;
      for (let target = targetsAt; target < end; target += 1 + targetLength(targets[target]!)) {
        const head = targets[target]!;
        if (isAddressTarget(head) && !hasAddress) {
          recorder.setAddress(targets, target + 1, targetLength(head));
          hasAddress = true;
        }
        if (isForbidden(context, target + 1, head)) {
          filter.reason = isAddressTarget(head) ? rebindingText : accessText;
          return FORBIDDEN;
        }
        if (context.isAllowed || filter.isAllowed) continue;
        const verdict = decideTarget(context, target + 1, head);
        if (verdict.kind === 'block') return verdict;
        if (verdict.kind === 'allow') {
          recorder.setRule(verdict, context.client!);
          filter.isAllowed = true;
        }
      }
      return undefined;
    },
  };
  return filter;
}
