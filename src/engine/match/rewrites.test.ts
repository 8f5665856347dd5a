import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decider, inWords, profileOf, queryFor } from '../../../test/support/engine/lists.ts';

/** The rewrite of the user rules for an address query of `www.a.com`, or for another type. */
function rewritten(rules: string, type = 1): unknown {
  const verdict = decider.decide(queryFor({ name: 'www.a.com', type }), profileOf({ 'user rules': rules }));
  if (verdict.kind !== 'rewrite') return inWords(verdict);
  const { rewrite } = verdict;
  if (rewrite?.kind !== 'records') return rewrite?.kind === 'cname' ? rewrite.target : rewrite?.code;
  return rewrite.values.map((value) => (value.kind === 'address' ? value.bytes.join('.') : value.kind));
}

const cases: readonly [what: string, rules: string, expected: unknown, type?: number][] = [
  ['an address', '||a.com^$dnsrewrite=1.2.3.4', ['1.2.3.4']],
  ['all addresses', '||a.com^$dnsrewrite=1.2.3.4\n|www.a.com^$dnsrewrite=1.2.3.5', ['1.2.3.5', '1.2.3.4']],
  ['nothing for another type', '||a.com^$dnsrewrite=1.2.3.4', [], 28],
  ['only those of the asked type', '||a.com^$dnsrewrite=1.2.3.4\n||a.com^$dnsrewrite=::1', ['1.2.3.4']],
  [
    'a name before all else',
    '||a.com^$dnsrewrite=1.2.3.4\n||a.com^$dnsrewrite=REFUSED\n||a.com^$dnsrewrite=b.com',
    'b.com',
  ],
  ['a code before records', '||a.com^$dnsrewrite=1.2.3.4\n||a.com^$dnsrewrite=NXDOMAIN;;', 3],
  ['of names the most specific', '||a.com^$dnsrewrite=b.com\n|www.a.com^$dnsrewrite=c.com', 'c.com'],
  ['the important first', '||a.com^$dnsrewrite=b.com,important\n|www.a.com^$dnsrewrite=c.com', 'b.com'],
  ['NOERROR with what records there are', '||a.com^$dnsrewrite=NOERROR;;\n||a.com^$dnsrewrite=1.2.3.4', ['1.2.3.4']],
  ['NOERROR with nothing', '||a.com^$dnsrewrite=NOERROR;;', []],
  ['a rewrite beats block and allow', '@@||www.a.com^$important\n||a.com^$dnsrewrite=1.2.3.4', ['1.2.3.4']],
  ['but not of another type', '||a.com^\n||a.com^$dnsrewrite=1.2.3.4,dnstype=AAAA', 'block ||a.com^'],
  ['a name is not led to itself', '||a.com^$dnsrewrite=www.a.com', 'pass'],
  ['other rules then count', '||a.com^$dnsrewrite=www.a.com\n||a.com^', 'block ||a.com^'],
  [
    'an exception switches off all',
    '||a.com^$dnsrewrite=1.2.3.4\n||a.com^$dnsrewrite=b.com\n@@||www.a.com^$dnsrewrite',
    'pass',
  ],
  [
    'or only the same',
    '||a.com^$dnsrewrite=1.2.3.4\n||a.com^$dnsrewrite=1.2.3.5\n@@||a.com^$dnsrewrite=1.2.3.4',
    ['1.2.3.5'],
  ],
  ['or the same, written otherwise', '||a.com^$dnsrewrite=NOERROR;A;1.2.3.4\n@@||a.com^$dnsrewrite=1.2.3.4', 'pass'],
  ['it allows nothing', '||a.com^\n@@||a.com^$dnsrewrite', 'block ||a.com^'],
  ['the important stands', '||a.com^$dnsrewrite=1.2.3.4,important\n@@||a.com^$dnsrewrite', ['1.2.3.4']],
  [
    'unless the exception is important too',
    '||a.com^$dnsrewrite=1.2.3.4,important\n@@||a.com^$dnsrewrite,important',
    'pass',
  ],
  ['a pattern may be wild', 'w*.a.com$dnsrewrite=1.2.3.4\n/^www/$dnsrewrite=1.2.3.5', ['1.2.3.4', '1.2.3.5']],
];

for (const [what, rules, expected, type] of cases)
  test(`rewrite rules are answered with: ${what}`, () => assert.deepEqual(rewritten(rules, type), expected));
