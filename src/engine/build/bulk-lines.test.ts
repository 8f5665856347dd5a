import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameOf } from '../../../test/support/engine/lists.ts';
import { parseRule } from '../../rules/parse-rule.ts';
import type { Rule } from '../../rules/rule.ts';
import { createNameKeys, hashKey, readNameKeys } from '../name-keys.ts';
import { createBulkReader, isComment, labelsOf, needsParser, shapeOf } from './bulk-lines.ts';
import { domainRuleText } from './domain-rule-forms.ts';
import { domainRuleKinds } from './domain-rules.ts';
import { hostsLineRule } from './hosts-line-rule.ts';

const secret = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 1);
const read = createBulkReader(hashKey(secret));
const keys = createNameKeys();

/** The rule of a line that the bulk reader accepts. */
function readPlain(line: string): { rule: Rule; text: string } | undefined {
  const bytes = new TextEncoder().encode(`\n${line}\n`);
  const [lines] = read(bytes, 1);
  assert.deepEqual([lines!.count, lines!.starts[0], lines!.ends[0]], [1, 1, bytes.length - 1]);
  const found = lines!.kinds[0]!;
  if (needsParser(found) || isComment(found)) return undefined;
  const { kind, form } = shapeOf(found);
  const { allow, pattern } = domainRuleKinds[kind]!;
  const [before, behind] = domainRuleText(allow, pattern, form, ' ').split(' ') as [string, string];
  const name = line.slice(
    form === 1 || form === 2 ? line.indexOf(' ') + 1 : before.length,
    line.length - behind.length,
  );
  readNameKeys(hashKey(secret), nameOf(name), 0, keys);
  assert.deepEqual(
    [labelsOf(found), lines!.high[0], lines!.low[0]],
    [keys.count, keys.high[keys.count], keys.low[keys.count]],
  );
  return {
    rule: { allow, pattern: { kind: pattern, name }, important: false, badfilter: false },
    text: domainRuleText(allow, pattern, form, name),
  };
}

const plain = [
  '||example.org^',
  '@@||example.org^',
  '||a-b_c.0.example.org^',
  '||-.-.x^',
  'example.org',
  '0.0.0.0 example.org',
  '127.0.0.1 example.org',
  '||lab.lan^',
  `||${'a'.repeat(63)}.org^`,
];

const left = [
  '',
  '||',
  '||^',
  '||org^',
  'org',
  '0.0.0.0 org',
  '||Example.org^',
  '||example.org',
  '||example.org^|',
  '||example.org^$important',
  '||example..org^',
  '||.example.org^',
  '||example.org.^',
  '||exämple.org^',
  '||*.example.org^',
  'example.org.',
  'example.org #',
  ' example.org',
  '1.2.3.4',
  '||1.2.3.4^',
  '0.0.0.0 0.0.0.0',
  '0.0.0.0  example.org',
  '0.0.0.0 example.org other.org',
  '127.0.0.1 localhost.localdomain',
  `||${'a'.repeat(64)}.org^`,
  `||${'a.'.repeat(126)}org^`,
  '/example.org/',
];

test('a line with one name in a common form is parsed', () => {
  for (const line of plain) assert.equal(readPlain(line)?.text, line);
});

test('all other lines are left to the parser', () => {
  for (const line of left) assert.equal(readPlain(line), undefined, line);
});

/** The reference: the parser. */
function parsed(line: string): Rule | undefined {
  const read = parseRule(line);
  if (read.kind === 'rule') return read.rule;
  return read.kind === 'hosts' && read.names.length === 1
    ? hostsLineRule(read.address, read.names[0]!, false)
    : undefined;
}

const part = fc.constantFrom(
  '|',
  '||',
  '@@',
  '^',
  '.',
  '-',
  '_',
  'a',
  'com',
  'local',
  'localhost',
  'localdomain',
  '0',
  '1',
  '0.0.0.0 ',
  '127.0.0.1 ',
  ' ',
  '*',
  '#',
  '!',
  'A',
  'ä',
  '$',
  '/',
  ',',
);
const usual = fc
  .tuple(
    fc.constantFrom('||', '@@||', '', '0.0.0.0 ', '127.0.0.1 '),
    fc.array(fc.stringMatching(/^[a-z0-9_-]{1,8}$/), { minLength: 1, maxLength: 5 }),
    fc.constantFrom('local', 'localdomain', 'com', 'l', 'x--1', '1', ''),
  )
  .map(([before, labels, top]) => `${before}${[...labels, top].join('.')}${before.endsWith('|') ? '^' : ''}`);

test('the parser has the same result for these lines', () => {
  let tried = 0;
  let taken = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        usual,
        fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      ),
      (line) => {
        tried += 1;
        const rule = readPlain(line)?.rule;
        if (!rule) return;
        taken += 1;
        assert.deepEqual(rule, parsed(line));
      },
    ),
    { numRuns: 5000 },
  );
  assert.ok(taken > tried / 10, `${taken} of ${tried} lines were read`);
});
