import { extendedErrors } from '../../dns/edns.ts';
import type { ResourceRecord } from '../../dns/message.ts';
import { rcodes, types } from '../../dns/numbers.ts';
import { readMessage } from '../../dns/read-message.ts';
import type { Decider } from '../../engine/match/decide.ts';
import type { CachedAnswer } from '../cache/cache-entry.ts';
import type { KnownDevice, KnownProfile } from '../identity/directory.ts';
import type { LocalNames } from '../local-names/local-names.ts';
import { compositionNow } from '../policy/policy.ts';
import type { UpstreamGroup } from '../upstream/upstream-group.ts';
import { aliasRecord, followChain } from './alias-chain.ts';
import { answerTargets } from './answer-targets.ts';
import { type QueryContext, ruleClientOf } from './query-context.ts';
import type { Resolved } from './resolve.ts';
import { reason } from './respond.ts';
import { rewrittenRecords } from './rewritten-answer.ts';
import { aliasesAnswer, codeAnswer, syntheticAnswer } from './synthetic-answers.ts';

const filtered = reason(extendedErrors.filtered);

/** Resolves a name other than that of the query, with the upstreams of this group. */
export type ResolveName = (name: Uint8Array, group: UpstreamGroup) => Promise<Resolved>;

/** Answers a query with the rewrite in its context. */
export type Rewrite = (context: QueryContext, resolve: ResolveName) => Promise<Resolved>;

/** Answers a query with aliases and the data of the last target. */
export type FollowAliases = (
  context: QueryContext,
  resolve: ResolveName,
  aliases: readonly ResourceRecord[],
) => Promise<Resolved>;

/** The local names for a client at this address. */
export type NamesFor = (identity: KnownDevice | KnownProfile, client: Uint8Array) => LocalNames | undefined;

export function createFollowAliases(decider: Decider, namesFor: NamesFor): FollowAliases {
  return async (context, resolve, records) => {
    const { request, question } = context;
    const client = context.client!;
    // A CNAME query is answered with the alias itself.
    if (question.type === types.CNAME)
      return fresh(syntheticAnswer(request.bytes, question, { answer: records.slice(0, 1) }));
    const { profile } = compositionNow(client.policy(), client, context.nowMs);
    const { aliases, name, end } = followChain(records, {
      type: question.type,
      names: namesFor(client.identity, request.client),
      decide: (target) =>
        decider.decide({ name: target, at: 0, type: question.type, client: ruleClientOf(context) }, profile),
      ttl: client.policy().blocking.ttlSeconds,
    });
    switch (end.kind) {
      case 'record':
      case 'rewritten':
        return fresh(aliasesAnswer(request.bytes, question, [...aliases, ...end.answer]));
      case 'code':
        return fresh(aliasesAnswer(request.bytes, question, aliases, end.code));
      case 'blocked':
        return { ...fresh(aliasesAnswer(request.bytes, question, aliases)), reason: filtered };
      case 'loop':
      case 'malformed':
        return { kind: 'failed', why: end.kind };
      case 'resolve':
        return withAliases(context, aliases, await resolve(name, end.forward?.group ?? client.upstreamGroup));
    }
  };
}

/** Converts the answer for the target of the aliases to the answer for the query. */
export function withAliases(
  { request, question }: QueryContext,
  aliases: readonly ResourceRecord[],
  resolved: Resolved,
): Resolved {
  if (resolved.kind === 'failed') return resolved;
  const message = readMessage(resolved.answer.message);
  if (!message.ok) return { kind: 'failed', why: 'malformed' };
  const { rcode, answer, authority } = message.value;
  const age = resolved.kind === 'fresh' ? resolved.ageSeconds : 0;
  const parts = { rcode, answer: [...aliases, ...aged(answer, age)], authority: aged(authority, age) };
  const made = syntheticAnswer(request.bytes, question, parts);
  return resolved.kind === 'stale' ? { kind: 'stale', answer: made } : fresh(made);
}

/** Includes the targets of the answer, because its first address is recorded. */
function withTargets(resolved: Resolved): Resolved {
  const message = resolved.kind === 'failed' ? undefined : readMessage(resolved.answer.message);
  if (resolved.kind === 'failed' || !message?.ok) return resolved;
  return { ...resolved, answer: { ...resolved.answer, targets: answerTargets(message.value) } };
}

/** Applies `$dnsrewrite` rules and rewrites of lists (safe search). */
export function createRewrite(followAliases: FollowAliases): Rewrite {
  const answerOf: Rewrite = async (context, resolve) => {
    const { request, question } = context;
    const rewrite = context.rewrite!;
    const ttl = context.client!.policy().blocking.ttlSeconds;
    const name = request.bytes.slice(question.nameAt, question.nameEnd);
    if (rewrite.kind === 'cname') {
      const alias = aliasRecord(name, rewrite.target, ttl);
      return alias ? followAliases(context, resolve, [alias]) : { kind: 'failed', why: 'malformed' };
    }
    if (rewrite.kind === 'code') return fresh(codeAnswer(request.bytes, question, rewrite.code, ttl));
    const answer = rewrittenRecords(name, rewrite.type, rewrite.values, ttl);
    if (answer.length === 0) return fresh(codeAnswer(request.bytes, question, rcodes.NOERROR, ttl));
    return fresh(syntheticAnswer(request.bytes, question, { answer }));
  };
  return async (context, resolve) => withTargets(await answerOf(context, resolve));
}

const aged = (records: readonly ResourceRecord[], seconds: number): readonly ResourceRecord[] =>
  records.map((record) => ({ ...record, ttl: Math.max(0, record.ttl - seconds) }));

export const fresh = (answer: CachedAnswer): Extract<Resolved, { kind: 'fresh' }> => ({
  kind: 'fresh',
  answer,
  ageSeconds: 0,
});
