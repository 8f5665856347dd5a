import type { ResourceRecord } from '../../dns/message.ts';
import { classes, rcodes, types } from '../../dns/numbers.ts';
import { readMessage } from '../../dns/read-message.ts';
import type { Decider } from '../../engine/match/decide.ts';
import { wireName } from '../../kit/wire-name.ts';
import { compositionNow } from '../policy/policy.ts';
import { type QueryContext, ruleClientOf } from './query-context.ts';
import type { Resolved } from './resolve.ts';
import { rewrittenRecords } from './rewritten-answer.ts';
import { codeAnswer, syntheticAnswer } from './synthetic-answers.ts';

type ResolveName = (name: Uint8Array) => Promise<Resolved>;

/** Answers a query by the rewrite in its context. */
export type Rewrite = (context: QueryContext, resolve: ResolveName) => Promise<Resolved>;

const MAX_ALIASES = 8;

/** Answers a query whose aliases lead to the data of the last one. */
export type FollowAliases = (
  context: QueryContext,
  resolve: ResolveName,
  aliases: readonly ResourceRecord[],
) => Promise<Resolved>;

/** An alias target may be rewritten or blocked in turn; a loop is a failure. */
export function createFollowAliases(decider: Decider): FollowAliases {
  return async (context, resolve, given) => {
    const { request, question } = context;
    const client = context.client!;
    const { profile } = compositionNow(client.policy(), client.isProtected, context.nowMs);
    const ttl = client.policy().blocking.ttlSeconds;
    const synthetic = (parts: Parameters<typeof syntheticAnswer>[2]): Resolved =>
      fresh(syntheticAnswer(request.bytes, question, parts));
    // A query of type CNAME is answered by the alias itself.
    if (question.type === types.CNAME) return synthetic({ answer: given.slice(0, 1) });
    const aliases = [...given];
    let owner = given.at(-1)!.data;
    for (;;) {
      const query = { name: owner, at: 0, type: question.type, client: ruleClientOf(context) };
      const verdict = decider.decide(query, profile);
      if (verdict.kind === 'block') return synthetic({ answer: aliases });
      const next = verdict.kind === 'rewrite' ? verdict.rewrite! : undefined;
      if (next === undefined) break;
      if (next.kind === 'records')
        return synthetic({ answer: [...aliases, ...rewrittenRecords(owner, next.type, next.values, ttl)] });
      if (next.kind === 'code') return synthetic({ rcode: next.code, answer: aliases });
      const alias = aliasOf(owner, next.target, ttl);
      if (!alias) return { kind: 'failed', why: 'malformed' };
      if (aliases.length >= MAX_ALIASES) return { kind: 'failed', why: 'loop' };
      aliases.push(alias);
      owner = alias.data;
    }
    const resolved = await resolve(owner);
    return withAliases(context, aliases, resolved);
  };
}

/** An answer about the target of the aliases, as the answer to the query. */
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

function aliasOf(name: Uint8Array, target: string, ttl: number): ResourceRecord | undefined {
  const data = wireName(target);
  return data && { name, type: types.CNAME, class: classes.IN, ttl, data };
}

/** Applies `$dnsrewrite` rules and rewrites of lists (safe search). */
export function createRewrite(followAliases: FollowAliases): Rewrite {
  return async (context, resolve) => {
    const { request, question } = context;
    const rewrite = context.rewrite!;
    const ttl = context.client!.policy().blocking.ttlSeconds;
    const name = request.bytes.slice(question.nameAt, question.nameEnd);
    if (rewrite.kind === 'cname') {
      const alias = aliasOf(name, rewrite.target, ttl);
      return alias ? followAliases(context, resolve, [alias]) : { kind: 'failed', why: 'malformed' };
    }
    if (rewrite.kind === 'code') return fresh(codeAnswer(request.bytes, question, rewrite.code, ttl));
    const answer = rewrittenRecords(name, rewrite.type, rewrite.values, ttl);
    if (answer.length === 0) return fresh(codeAnswer(request.bytes, question, rcodes.NOERROR, ttl));
    return fresh(syntheticAnswer(request.bytes, question, { answer }));
  };
}

const aged = (records: readonly ResourceRecord[], seconds: number): readonly ResourceRecord[] =>
  records.map((record) => ({ ...record, ttl: Math.max(0, record.ttl - seconds) }));

export const fresh = (answer: ReturnType<typeof syntheticAnswer>): Resolved => ({
  kind: 'fresh',
  answer,
  ageSeconds: 0,
});
