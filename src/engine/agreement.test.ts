import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameOf, profileFromText, readLine, secret } from '../../test/support/engine/lists.ts';
import { type PlainVerdict, readPlainly, scan } from '../../test/support/engine/plain-scan.ts';
import { someAnswer, someQuery, someSources } from '../../test/support/engine/profiles.ts';
import { formatIp } from '../kit/ip-address.ts';
import { nameText } from '../kit/wire-name.ts';
import { type Explanation, explain, explainAnswer } from './explain/explain.ts';
import { type Answer, createDecider, type Query } from './match/decide.ts';
import { ruleText } from './rule-text.ts';
import type { Verdict } from './verdict.ts';

// 40,000 decisions per run: many profiles, and for each a sample of a fixed set of queries.
const PROFILES = 400;
const QUERIES = 80;
const ANSWERS = 20;
const queries = fc.sample(someQuery, 4000);
const answers = fc.sample(someAnswer, 1000);
// A verdict cache so small that entries are often replaced.
const decider = createDecider(secret, 16);

const some = <T>(all: readonly T[], from: number, count: number): readonly T[] =>
  Array.from({ length: count }, (_, nth) => all[(from + nth) % all.length]!);

test('tables decide like a plain scan over all rules, with and without cache', () => {
  fc.assert(
    fc.property(someSources, fc.nat(), (sources, from) => {
      const profile = profileFromText(sources);
      const rules = readPlainly(sources);
      for (const query of some(queries, from, QUERIES)) {
        const expected = scan(rules, query);
        assert.deepEqual(plain(decider.decide(query, profile)), expected, shown(query));
        assert.deepEqual(plain(decider.decide(query, profile)), expected, `again ${shown(query)}`);
      }
      for (const answer of some(answers, from, ANSWERS)) {
        const expected = scanAnswer(rules, answer);
        assert.deepEqual(plain(decider.decideAnswer(answer, profile)), expected, shown(answer));
        assert.deepEqual(plain(decider.decideAnswer(answer, profile)), expected, `again ${shown(answer)}`);
      }
    }),
    { numRuns: PROFILES },
  );
});

test('the explanation has the same verdict as the decision', () => {
  fc.assert(
    fc.property(someSources, fc.nat(), (sources, from) => {
      const profile = profileFromText(sources);
      for (const query of some(queries, from, QUERIES)) {
        const explained = explain(query, profile, { secret, readLine });
        assertSame(explained, decider.decide(query, profile), shown(query));
      }
      for (const answer of some(answers, from, ANSWERS)) {
        const explained = explainAnswer(answer, profile, { secret, readLine });
        decider.startAnswer();
        assertSame(explained, decider.decideAnswer(answer, profile), shown(answer));
      }
    }),
    { numRuns: PROFILES / 4 },
  );
});

function assertSame({ verdict, rules }: Explanation, decided: Verdict, what: string): void {
  const { kind, source, list, rewrite } = decided;
  const text = ruleText(decided, readLine);
  const expected = kind === 'pass' ? { kind } : { kind, source, list: list!.id, text, ...(rewrite && { rewrite }) };
  assert.deepEqual(verdict.kind === 'pass' ? verdict : { ...verdict, list: verdict.list.id }, expected, what);
  const winners = rules.filter(({ outcome }) => outcome === 'won');
  assert.equal(winners.length > 0, kind !== 'pass', what);
  if (winners.length > 0)
    assert.ok(
      winners.some((rule) => rule.text === text && rule.list === list),
      what,
    );
}

/** A hosts line with several names or a comment is reported as written; the scan reports the name that matched. */
function plain(verdict: Verdict): PlainVerdict {
  const { kind, source, list, rewrite, by } = verdict;
  if (kind === 'pass') return { kind };
  const text = ruleText(verdict, readLine)!;
  const address = by.complex ? undefined : /^([0-9a-f.:]+)\s/.exec(text)?.[1];
  const itsText = address === undefined ? text : `${address} ${nameText(by.name, by.nameAt).toLowerCase()}`;
  return { kind, source: source!, list: list!.id, text: itsText, ...(rewrite && { rewrite }) };
}

function scanAnswer(rules: ReturnType<typeof readPlainly>, answer: Answer): PlainVerdict {
  const { type, client } = answer;
  if (answer.kind === 'address') {
    const family = answer.address.length === 4 ? 'V4' : 'V6';
    const name = nameOf(formatIp({ family, bytes: [...answer.address] }));
    return scan(rules, { name, at: 0, type, client }, { subject: 'address' });
  }
  return scan(rules, answer, answer.kind === 'location' ? { location: answer } : {});
}

const shown = (query: Query | Answer): string =>
  JSON.stringify({ ...query, ...('name' in query && { name: nameText(query.name, query.at) }) });

const sameAddress = ['1.2.3.4 tracker', '|tracker|$dnsrewrite=1.2.3.4'];
for (const source of ['user rules', 'custom lists', 'filter lists'] as const)
  for (const text of [sameAddress.join('\n'), sameAddress.toReversed().join('\n')])
    test(`a hosts line and a $dnsrewrite rule with the same address in ${source}: ${JSON.stringify(text)}`, () => {
      const sources = [{ source, lists: [{ id: 'answering', text, answering: true }] }];
      const profile = profileFromText(sources);
      for (const type of [1, 28]) {
        const query = { name: nameOf('tracker'), at: 0, type };
        const expected = scan(readPlainly(sources), query);
        assert.equal(expected.kind, 'rewrite');
        assert.deepEqual(plain(decider.decide(query, profile)), expected);
        const { verdict } = explain(query, profile, { secret, readLine });
        assert.equal(verdict.kind === 'rewrite' && verdict.text, expected.text);
      }
    });
