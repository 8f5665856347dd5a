import type { ResourceRecord } from '../../dns/message.ts';
import { classes, rcodes, types } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import { readMessage } from '../../dns/read-message.ts';
import type { Decider } from '../../engine/match/decide.ts';
import type { Rewritten } from '../../engine/verdict.ts';
import { wireName } from '../../kit/wire-name.ts';
import type { Standing } from '../identity/client.ts';
import type { Composition } from '../policy/policy.ts';
import type { Asked } from '../transport/listener.ts';
import type { Resolved } from './resolve.ts';
import { rewrittenRecords } from './rewritten-answer.ts';
import { codeAnswer, madeAnswer } from './synthetic-answers.ts';

type Way = {
  readonly asked: Asked;
  readonly question: Question;
  readonly standing: Standing;
  readonly composition: Composition;
};

export type Rewrite = (
  rewrite: Rewritten,
  way: Way,
  resolve: (name: Uint8Array) => Promise<Resolved>,
) => Promise<Resolved>;

const MOST_ALIASES = 8;

/** What a `$dnsrewrite` rule, a list of safe search or the like puts in place of the true answer. */
export function createRewrite(decider: Decider): Rewrite {
  /** A target may be rewritten itself, or blocked; a circle is a failure. */
  const follow = async (
    first: string,
    way: Way,
    resolve: (name: Uint8Array) => Promise<Resolved>,
  ): Promise<Resolved> => {
    const { asked, question, standing, composition } = way;
    const ttl = standing.policy().blocking.ttlSeconds;
    const aliases = [];
    let owner: Uint8Array = asked.bytes.slice(question.nameAt, question.nameEnd);
    let target: string | undefined = first;
    while (target !== undefined && aliases.length < MOST_ALIASES) {
      const data = wireName(target);
      if (!data) return { kind: 'failed', why: 'malformed' };
      aliases.push({ name: owner, type: types.CNAME, class: classes.IN, ttl, data });
      const verdict = decider.decide(
        { name: data, at: 0, type: question.type, client: standing.client },
        composition.profile,
      );
      if (verdict.kind === 'block') return made(madeAnswer(asked.bytes, question, { answer: aliases }));
      const next = verdict.kind === 'rewrite' ? verdict.rewrite! : undefined;
      if (next?.kind === 'records') {
        const records = rewrittenRecords(data, next.type, next.values, ttl);
        return made(madeAnswer(asked.bytes, question, { answer: [...aliases, ...records] }));
      }
      if (next?.kind === 'code') return made(madeAnswer(asked.bytes, question, { rcode: next.code, answer: aliases }));
      owner = data;
      target = next?.target;
    }
    if (target !== undefined) return { kind: 'failed', why: 'loop' };
    // Who asks for the alias itself has it already.
    if (question.type === types.CNAME) return made(madeAnswer(asked.bytes, question, { answer: aliases.slice(0, 1) }));
    const resolved = await resolve(owner);
    if (resolved.kind === 'failed') return resolved;
    const message = readMessage(resolved.kept.message);
    if (!message.ok) return { kind: 'failed', why: 'malformed' };
    const { rcode, answer, authority } = message.value;
    const age = resolved.kind === 'kept' ? resolved.ageSeconds : 0;
    const found = { rcode, answer: [...aliases, ...aged(answer, age)], authority: aged(authority, age) };
    const kept = madeAnswer(asked.bytes, question, found);
    return resolved.kind === 'stale' ? { kind: 'stale', kept } : made(kept);
  };

  return async (rewrite, way, resolve) => {
    const { asked, question, standing } = way;
    if (rewrite.kind === 'cname') return follow(rewrite.target, way, resolve);
    const ttl = standing.policy().blocking.ttlSeconds;
    if (rewrite.kind === 'code') return made(codeAnswer(asked.bytes, question, rewrite.code, ttl));
    const name = asked.bytes.slice(question.nameAt, question.nameEnd);
    const answer = rewrittenRecords(name, rewrite.type, rewrite.values, ttl);
    if (answer.length === 0) return made(codeAnswer(asked.bytes, question, rcodes.NOERROR, ttl));
    return made(madeAnswer(asked.bytes, question, { answer }));
  };
}

/** With what is left of their time. */
const aged = (records: readonly ResourceRecord[], seconds: number): readonly ResourceRecord[] =>
  records.map((record) => ({ ...record, ttl: Math.max(0, record.ttl - seconds) }));

const made = (kept: ReturnType<typeof madeAnswer>): Resolved => ({ kind: 'kept', kept, ageSeconds: 0 });
