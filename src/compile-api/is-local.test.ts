import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from './compile-job.ts';
import { isLocal } from './is-local.ts';

const order = (source: object, preFetchedContent?: Record<string, string>, more: object = {}): Order =>
  ({
    configuration: { name: 'a', sources: [source], ...more },
    preFetchedContent,
    format: 'adblock',
    explain: false,
    keep: true,
  }) as Order;

const URL_TEXT = 'https://lists.example/a.txt';

const cases: readonly (readonly [string, Order, boolean])[] = [
  ['inline rules', order({ source: '||a.example^\n||b.example^' }), true],
  ['a text that came along', order({ source: 'a' }, { a: '||a.example^' }), true],
  ['a text that came along under a URL', order({ source: URL_TEXT }, { [URL_TEXT]: '||a.example^' }), true],
  ['a URL', order({ source: URL_TEXT }), false],
  ['a URL broken by a line break', order({ source: 'ht\ntps://lists.example/a.txt' }), false],
  ['a URL in capitals', order({ source: 'HTTP://lists.example/' }), false],
  ['a mirror', order({ source: '||a.example^', mirrors: [URL_TEXT] }), false],
  ['a pattern file of a source', order({ source: '||a.example^', exclusions_sources: [URL_TEXT] }), false],
  ['a pattern file of the list', order({ source: '||a.example^' }, {}, { inclusions_sources: [URL_TEXT] }), false],
  ['inline rules that include', order({ source: '||a.example^\n!#include https://lists.example/' }), false],
  ['a text that came along and includes', order({ source: 'a' }, { a: '!#include https://lists.example/' }), false],
];
for (const [what, given, expected] of cases)
  test(`${what}: ${expected ? 'local' : 'not local'}`, () => assert.equal(isLocal(given), expected));
