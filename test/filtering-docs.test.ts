import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatExplanation } from '../src/cli/query-command.ts';
import { deviceTags } from '../src/domain/device-tags.ts';
import { sources } from '../src/engine/sources.ts';
import { explainFiles, type FilesExplanation } from '../src/resolver/explain/explain-files.ts';
import { knownModifiers } from '../src/rules/modifiers.ts';
import { parseRule } from '../src/rules/parse-rule.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { codesIn, questionOf, tableRows } from './support/filtering-docs.ts';

// Every row of every table in docs/filtering.md is run.

async function asked(t: TestContext, rules: readonly string[], words: string): Promise<FilesExplanation> {
  const folder = await temporaryFolder(t, { 'rules.txt': `${rules.join('\n')}\n` });
  const files = { lists: [], answering: [], rules: [join(folder, 'rules.txt')] };
  const explained = await explainFiles({ ...questionOf(words), ...files });
  assert.ok(explained.ok, String(!explained.ok && explained.error));
  return explained.value;
}

for (const [rule = '', speaks = '', silent = ''] of tableRows('rule', 'matches', 'does not match'))
  test(`docs/filtering.md: ${rule} matches ${speaks} and not ${silent}`, async (t) => {
    assert.ok(codesIn(speaks).length > 0 && codesIn(silent).length > 0);
    for (const words of codesIn(speaks)) {
      const { verdict } = await asked(t, codesIn(rule), words);
      assert.equal(verdict.kind, codesIn(rule)[0]!.startsWith('@@') ? 'allow' : 'block', words);
    }
    for (const words of codesIn(silent))
      assert.equal((await asked(t, codesIn(rule), words)).verdict.kind, 'pass', words);
  });

for (const [rule = '', question = '', answer = ''] of tableRows('rule', 'question', 'answer'))
  test(`docs/filtering.md: with ${rule} the answer for ${question} is ${answer}`, async (t) => {
    const text = formatExplanation(await asked(t, codesIn(rule), codesIn(question)[0]!));
    assert.equal(/^ {2}answer: (.*)$/m.exec(text)?.[1], codesIn(answer)[0], text);
  });

for (const [line = '', reason = ''] of tableRows('line', 'what is said'))
  test(`docs/filtering.md: the reason for ${line} is: ${reason}`, () => {
    const parsed = parseRule(codesIn(line)[0]!);
    assert.ok(parsed.kind === 'ignored' || parsed.kind === 'invalid', parsed.kind);
    assert.equal(parsed.fault.reason, reason);
  });

for (const [rules = '', winner = ''] of tableRows('these match', 'this wins', 'because'))
  test(`docs/filtering.md: of ${rules} wins ${winner}`, async (t) => {
    for (const lines of [codesIn(rules), codesIn(rules).toReversed()].slice(0, isOrdered(rules) ? 1 : 2)) {
      const explained = await asked(t, lines, 'www.ads.example.org');
      assert.equal(explained.rules.length, 2, 'both match');
      assert.equal(explained.verdict.rule, codesIn(winner)[0]);
    }
  });

/** Of equal rules the first wins: the other way round it is the other. */
const isOrdered = (rules: string): boolean => rules.includes('/ads/');

test('docs/filtering.md: the order of sources is that of the engine', () => {
  const yes = (is: boolean): string => (is ? 'yes' : 'no');
  assert.deepEqual(
    tableRows('order', 'source'),
    sources.map((each) => [
      String(each.stage),
      each.name,
      each.allowEnds === 'everything' ? 'everything' : 'its number',
      yes(each.knowsClients),
      yes(each.rewrites),
      yes(each.filtersAnswers),
      yes(each.obeysUserBadfilter),
    ]),
  );
});

test('docs/filtering.md has every modifier', () => {
  assert.deepEqual(
    tableRows('modifier', 'means')
      .map(([name = '']) => codesIn(name)[0]!)
      .toSorted(),
    [...knownModifiers.keys()].filter((name) => !name.startsWith('~')).toSorted(),
  );
});

test('docs/filtering.md: the differences to the other engine are correct for this one', async (t) => {
  const rows = tableRows('rules', 'name', 'Weir', 'tsurlfilter');
  assert.ok(rows.length > 0);
  for (const [rules = '', name = '', ours] of rows)
    assert.equal((await asked(t, codesIn(rules), codesIn(name)[0]!)).verdict.kind, ours, rules);
});

test('docs/filtering.md has the tags of every device type', () => {
  assert.deepEqual(
    tableRows('device type', 'tags').map(([, tags = '']) => codesIn(tags)),
    Object.values(deviceTags),
  );
});
