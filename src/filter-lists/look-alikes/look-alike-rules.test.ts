import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { lookAlikeRules } from './look-alike-rules.ts';
import { popularDomains } from './popular-domains.ts';

// Made once: the rules of all names take half a second.
const typoRules = new Set(lookAlikeRules('typosquatting').split('\n'));
const glyphRules = new Set(lookAlikeRules('homoglyph').split('\n'));
const typo = (name: string): boolean => typoRules.has(`||${domainToASCII(name)}^`);
const glyph = (name: string): boolean => glyphRules.has(`||${domainToASCII(name)}^`);

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

test('the lists are small enough to be built quickly', () => {
  assert.ok(typoRules.size > 10_000 && typoRules.size < 60_000, String(typoRules.size));
  assert.ok(glyphRules.size > 50_000 && glyphRules.size < 400_000, String(glyphRules.size));
});

test('every rule is a host name with at most 63 characters in a label', () => {
  for (const rules of [typoRules, glyphRules])
    for (const rule of rules)
      if (!/^\|\|([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]+\^$/.test(rule)) assert.fail(rule);
});
