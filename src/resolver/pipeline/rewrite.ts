import type { ResourceRecord } from '../../dns/message.ts';
import { classes, rcodes, types } from '../../dns/numbers.ts';
import { readMessage } from '../../dns/read-message.ts';
import type { Decider } from '../../engine/match/decide.ts';
import { wireName } from '../../kit/wire-name.ts';
import { type QueryContext, ruleClientOf } from './query-context.ts';
import type { Resolved } from './resolve.ts';
import { rewrittenRecords } from './rewritten-answer.ts';
import { codeAnswer, syntheticAnswer } from './synthetic-answers.ts';

type ResolveName = (name: Uint8Array) => Promise<Resolved>;

/** Answers a query by the rewrite in its context. */
export type Rewrite = (context: QueryContext, resolve: ResolveName) => Promise<Resolved>;

const MAX_ALIASES = 8;

/** Applies `$dnsrewrite` rules and rewrites of lists (safe search). */
export function createRewrite(decider: Decider): Rewrite {
  /** An alias target may be rewritten or blocked in turn; a loop is a failure. */
  const follow = async (alias: string, context: QueryContext, resolve: ResolveName): Promise<Resolved> => {
    const { request, question } = context;
    const client = context.client!;
    const { profile } = context.composition!;
    const ttl = client.policy().blocking.ttlSeconds;
    const synthetic = (parts: Parameters<typeof syntheticAnswer>[2]): Resolved =>
      fresh(syntheticAnswer(request.bytes, question, parts));
    const aliases: ResourceRecord[] = [];
    let owner: Uint8Array = request.bytes.slice(question.nameAt, question.nameEnd);
    let target: string | undefined = alias;
    while (target !== undefined && aliases.length < MAX_ALIASES) {
      const data = wireName(target);
      if (!data) return { kind: 'failed', why: 'malformed' };
      aliases.push({ name: owner, type: types.CNAME, class: classes.IN, ttl, data });
      const verdict = decider.decide(
        { name: data, at: 0, type: question.type, client: ruleClientOf(context) },
        profile,
      );
      if (verdict.kind === 'block') return synthetic({ answer: aliases });
      const next = verdict.kind === 'rewrite' ? verdict.rewrite! : undefined;
      if (next?.kind === 'records')
        return synthetic({ answer: [...aliases, ...rewrittenRecords(data, next.type, next.values, ttl)] });
      if (next?.kind === 'code') return synthetic({ rcode: next.code, answer: aliases });
      owner = data;
      target = next?.target;
    }
    if (target !== undefined) return { kind: 'failed', why: 'loop' };
    // A query of type CNAME is answered by the alias itself.
    if (question.type === types.CNAME) return synthetic({ answer: aliases.slice(0, 1) });
    const resolved = await resolve(owner);
    if (resolved.kind === 'failed') return resolved;
    const message = readMessage(resolved.answer.message);
    if (!message.ok) return { kind: 'failed', why: 'malformed' };
    const { rcode, answer, authority } = message.value;
    const age = resolved.kind === 'fresh' ? resolved.ageSeconds : 0;
    const parts = { rcode, answer: [...aliases, ...aged(answer, age)], authority: aged(authority, age) };
    return resolved.kind === 'stale'
      ? { kind: 'stale', answer: syntheticAnswer(request.bytes, question, parts) }
      : synthetic(parts);
  };

  return async (context, resolve) => {
    const { request, question } = context;
    const rewrite = context.rewrite!;
    if (rewrite.kind === 'cname') return follow(rewrite.target, context, resolve);
    const ttl = context.client!.policy().blocking.ttlSeconds;
    if (rewrite.kind === 'code') return fresh(codeAnswer(request.bytes, question, rewrite.code, ttl));
    const name = request.bytes.slice(question.nameAt, question.nameEnd);
    const answer = rewrittenRecords(name, rewrite.type, rewrite.values, ttl);
    if (answer.length === 0) return fresh(codeAnswer(request.bytes, question, rcodes.NOERROR, ttl));
    return fresh(syntheticAnswer(request.bytes, question, { answer }));
  };
}

const aged = (records: readonly ResourceRecord[], seconds: number): readonly ResourceRecord[] =>
  records.map((record) => ({ ...record, ttl: Math.max(0, record.ttl - seconds) }));

const fresh = (answer: ReturnType<typeof syntheticAnswer>): Resolved => ({ kind: 'fresh', answer, ageSeconds: 0 });
