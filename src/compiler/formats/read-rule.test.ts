import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode } from '../lines/text.ts';
import { readRule } from './read-rule.ts';
import { createRuleEffects } from './rule-effects.ts';

const priorities = ['', 'block less', 'exempt', 'block', 'allow', 'block!', 'allow!'];
const reaches = ['', 'self', 'below', 'both'];

const read = (rule: string): { says: string[]; why: string | undefined } => {
  const effects = createRuleEffects(1);
  const bytes = new TextEncoder().encode(rule);
  const why = readRule(effects, 0, { bytes, start: 0, end: bytes.length });
  const { names, name, priority, reach } = effects;
  const says = Array.from({ length: effects.count }, (_, at) => {
    const text = decode(names.text.bytes, names.start[name[at]!]!, names.end[name[at]!]!);
    return `${priorities[priority[at]!]} ${reaches[reach[at]!]} ${text}`;
  });
  return { says, why };
};

const meanings: Readonly<Record<string, readonly string[]>> = {
  '||ads.com^': ['block both ads.com'],
  '||ads.com^|': ['block both ads.com'],
  '||ads.com|': ['block both ads.com'],
  '||ads.com^$': ['block both ads.com'],
  '||Ads.com.^': ['block both ads.com'],
  '||com^': ['block both com'],
  'ads.com': ['block both ads.com'],
  'a_d.ads.com': ['block both a_d.ads.com'],
  '|ads.com^': ['block self ads.com'],
  '|ads.com|': ['block self ads.com'],
  '*.ads.com^': ['block below ads.com'],
  '.ads.com^': ['block below ads.com'],
  '||*.ads.com^': ['block below ads.com'],
  '@@||ads.com^': ['allow both ads.com'],
  '@@|ads.com^': ['allow self ads.com'],
  '@@ads.com': ['allow both ads.com'],
  '||ads.com^$important': ['block! both ads.com'],
  '@@||ads.com^$important': ['allow! both ads.com'],
  '0.0.0.0 ads.com': ['block self ads.com'],
  '127.0.0.1\tads.com  b.com # both': ['block self ads.com', 'block self b.com'],
  '0.0.0.0\u00a0ads.com # \u00fc': ['block self ads.com'],
};

for (const [rule, says] of Object.entries(meanings)) {
  test(`${JSON.stringify(rule)} says: ${says.join(', ')}`, () => {
    assert.deepEqual(read(rule), { says, why: undefined });
  });
}

const reasons: Readonly<Record<string, string>> = {
  '/ads[0-9]/': 'a regular expression is not supported',
  '@@/ads/': 'a regular expression is not supported',
  '||ads*.com^': 'a pattern with "*" matches names that cannot be listed',
  '*.ads.com': 'a pattern with "*" matches names that cannot be listed',
  '||ads.com': 'it matches parts of names, and the format has only whole names',
  'ads.com^': 'it matches parts of names, and the format has only whole names',
  banner: 'it matches parts of names, and the format has only whole names',
  '||ads.com^$dnstype=AAAA': 'the modifier dnstype is not supported',
  '||ads.com^$important,client=tv': 'the modifier client is not supported',
  'ads.com##.banner': 'it applies to the content of pages, not to DNS',
  '||1.2.3.4^': '"1.2.3.4" is an address, not a host name',
  '||ads.com" x^': '"\\"" is not allowed in a host name',
  '0.0.0.0 0.0.0.0': '"0.0.0.0" is an address, not a host name',
  '127.0.0.1 localhost': '"localhost" is a name without dots, which in hosts files names the machine itself',
  '0.0.0.0  # nothing': 'the host name after the address is missing',
};

for (const [rule, why] of Object.entries(reasons)) {
  test(`${JSON.stringify(rule)} is left out: ${why}`, () => {
    assert.deepEqual(read(rule), { says: [], why });
  });
}

test('one invalid name of a hosts line does not invalidate the others', () => {
  assert.deepEqual(read('0.0.0.0 a.com b!.com c.com'), {
    says: ['block self a.com', 'block self c.com'],
    why: '"!" is not allowed in a host name',
  });
});
