import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainOf } from './domain-of.ts';

test('the domain of what people type or paste', () => {
  for (const text of [
    'ads.example.org',
    ' ADS.example.org. ',
    '*.ads.example.org',
    'https://ads.example.org/path?x=1',
    'ads.example.org:8443',
  ])
    assert.equal(domainOf(text), 'ads.example.org', text);
  assert.equal(domainOf('bücher.example'), 'xn--bcher-kva.example');
  assert.equal(domainOf('_dmarc.example.org'), '_dmarc.example.org');
});

test('other texts have no domain', () => {
  for (const text of ['', 'localhost', '192.0.2.1', '||example.org^', 'two words.example', '/regex/', 'a..b'])
    assert.equal(domainOf(text), undefined, text);
});
