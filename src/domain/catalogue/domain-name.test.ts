import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDomainName } from './domain-name.ts';

test('names of two or more labels are domain names', () => {
  for (const name of [
    'example.org',
    'a.b.c.example.co.uk',
    'xn--bcher-kva.example',
    '_dmarc.example.org',
    '1.example.org',
  ])
    assert.ok(isDomainName(name), name);
});

test('text that no resolver would query is not a domain name', () => {
  const longLabel = `${'a'.repeat(64)}.org`;
  const longName = `${'a.'.repeat(126)}org`;
  const texts = [
    '',
    'localhost',
    'Example.org',
    'example.org.',
    '.example.org',
    'a..b',
    '-a.org',
    'a-.org',
    '10.0.0.1',
  ];
  for (const text of [...texts, 'bücher.example', 'a b.org', '*.example.org', longLabel, longName])
    assert.ok(!isDomainName(text), text);
});
