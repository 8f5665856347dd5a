import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { lookAlikeRules } from './look-alike-rules.ts';
import { popularDomains } from './popular-domains.ts';

const blocks = (kind: 'typosquatting' | 'homoglyph') => {
  const rules = new Set(lookAlikeRules(kind).split('\n'));
  return (name: string): boolean => rules.has(`||${domainToASCII(name)}^`);
};
const typo = blocks('typosquatting');
const glyph = blocks('homoglyph');

const misspelled = [
  'gogle.com',
  'googgle.com',
  'goolge.com',
  'googlr.com',
  'g00gle.com',
  'wwwgoogle.com',
  'paypa1.com',
  'paypai.com',
  'paupal.com',
  'amazom.com',
  'arnazon.com',
  'amaxon.co.uk',
  'facebok.com',
  'faceb00k.com',
  'micr0soft.com',
  'rnicrosoft.com',
  'mircosoft.com',
  'nettflix.com',
  'sparkase.de',
  'binannce.com',
];

test('misspellings of popular names are blocked', () => {
  assert.deepEqual(
    misspelled.filter((name) => !typo(name)),
    [],
  );
});

// Cyrillic, Greek, Latin letters with marks; one letter, two letters, one letter everywhere, the whole label.
const imitated = [
  'аррӏе.com',
  'аpple.com',
  'gооgle.com',
  'goοgle.com',
  'googlé.com',
  'paypál.com',
  'раypal.com',
  'facebооk.com',
  'amazön.de',
  'micrósoft.com',
  'ıcloud.com',
  'instagrám.com',
  'binancé.com',
  'metamàsk.io',
];

test('internationalized names that look like popular ones are blocked', () => {
  assert.deepEqual(
    imitated.filter((name) => !glyph(name)),
    [],
  );
});

test('popular names and names of known companies are not blocked', () => {
  const known = [
    ...popularDomains,
    'mail.com',
    'paypalobjects.com',
    'gmail.com',
    'bing.com',
    'amazonaws.com',
    'ebay.com',
  ];
  assert.deepEqual(
    known.filter((name) => typo(name) || glyph(name)),
    [],
  );
});

test('the lists stay small enough to be built in a moment', () => {
  const counts = (['typosquatting', 'homoglyph'] as const).map((kind) => lookAlikeRules(kind).split('\n').length);
  assert.ok(counts[0]! > 10_000 && counts[0]! < 60_000, String(counts));
  assert.ok(counts[1]! > 50_000 && counts[1]! < 400_000, String(counts));
});

test('every rule is a host name with at most 63 characters in a label', () => {
  for (const kind of ['typosquatting', 'homoglyph'] as const)
    for (const rule of lookAlikeRules(kind).split('\n'))
      if (!/^\|\|([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]+\^$/.test(rule)) assert.fail(rule);
});
