import { ruleText } from '../engine/rule-text.ts';
import { debugAnswer } from '../resolver/pipeline/debug-answer.ts';
import type { LaterDeps } from '../resolver/pipeline/slow-path.ts';
import { linesAnswer } from '../resolver/pipeline/synthetic-answers.ts';
import { compositionNow } from '../resolver/policy/policy.ts';
import { ruleOfTable } from '../resolver/policy/table-from-rules.ts';
import type { Answering } from './answering-thread.ts';

/** Questions of class CHAOS: what would become of the same question of class IN, and why. */
export function createDebug({ decider, clock, lineOf, placeOf }: Answering): LaterDeps['debug'] {
  return (asked, question, standing) => {
    const composition = compositionNow(standing.policy(), standing.isProtected, clock.wallMs());
    const query = { name: asked.bytes, at: question.nameAt, type: question.type, client: standing.client };
    const verdict = decider.decide(query, composition.profile);
    const answer = debugAnswer({
      identity: standing.known,
      client: asked.client,
      country: placeOf?.(asked.client).country,
      asn: placeOf?.(asked.client).asn,
      verdict: verdict.kind,
      rule: ruleText(verdict, (table, slot) => ruleOfTable(table, slot) ?? lineOf(table, slot) ?? ''),
      list: verdict.list?.id,
    });
    return answer.kind === 'lines' ? linesAnswer(asked.bytes, question, answer.lines) : undefined;
  };
}
