import type { Question } from '../dns/question.ts';
import { ruleText } from '../engine/rule-text.ts';
import { debugAnswer } from '../resolver/pipeline/debug-answer.ts';
import type { LookupDeps } from '../resolver/pipeline/lookups.ts';
import { ruleClientOf } from '../resolver/pipeline/query-context.ts';
import { linesAnswer } from '../resolver/pipeline/synthetic-answers.ts';
import { compositionNow } from '../resolver/policy/policy.ts';
import { ruleOfTable } from '../resolver/policy/table-from-rules.ts';
import type { DnsRequest } from '../resolver/transport/listener.ts';
import type { Answering } from './set-up-answering.ts';

/** Answers queries of class CHAOS: the decision for the same query of class IN, and its rule. */
export function createDebug(
  { decider, clock, lineOf, locate }: Answering,
  identifiedBy: (request: DnsRequest, question: Question) => string,
): LookupDeps['debug'] {
  return (context) => {
    const { request, question, client } = context;
    const { policy, identity } = client!;
    const composition = compositionNow(policy(), client!, clock.wallMs());
    const query = { name: request.bytes, at: question.nameAt, type: question.type, client: ruleClientOf(context) };
    const verdict = decider.decide(query, composition.profile);
    const answer = debugAnswer({
      identity,
      identifiedBy: identifiedBy(request, question),
      client: request.client,
      country: locate?.(request.client).country,
      asn: locate?.(request.client).asn,
      verdict: verdict.kind,
      rule: ruleText(verdict, (table, slot) => ruleOfTable(table, slot) ?? lineOf(table, slot) ?? ''),
      list: verdict.list?.id,
    });
    return answer.kind === 'lines' ? linesAnswer(request.bytes, question, answer.lines) : undefined;
  };
}
