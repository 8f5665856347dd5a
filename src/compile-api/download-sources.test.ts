import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompileJob } from './compile-job.ts';
import { isLocal } from './download-sources.ts';

const job = (source: object, preFetchedContent?: Record<string, string>, more: object = {}): CompileJob =>
  ({
    configuration: { name: 'a', sources: [source], ...more },
    preFetchedContent,
    format: 'adblock',
    explain: false,
    onSourceError: 'fail',
    storesResult: true,
  }) as CompileJob;

const URL_TEXT = 'https://lists.example/a.txt';

const cases: readonly (readonly [string, CompileJob, boolean])[] = [
  ['inline rules', job({ source: '||a.example^\n||b.example^' }), true],
  ['a text that came along', job({ source: 'a' }, { a: '||a.example^' }), true],
  ['a text that came along under a URL', job({ source: URL_TEXT }, { [URL_TEXT]: '||a.example^' }), true],
  ['a URL', job({ source: URL_TEXT }), false],
  ['a URL broken by a line break', job({ source: 'ht\ntps://lists.example/a.txt' }), false],
  ['a URL in capitals', job({ source: 'HTTP://lists.example/' }), false],
  ['a mirror', job({ source: '||a.example^', mirrors: [URL_TEXT] }), false],
  ['a pattern file of a source', job({ source: '||a.example^', exclusions_sources: [URL_TEXT] }), false],
  ['a pattern file of the list', job({ source: '||a.example^' }, {}, { inclusions_sources: [URL_TEXT] }), false],
  ['inline rules that include', job({ source: '||a.example^\n!#include https://lists.example/' }), false],
  ['a text that came along and includes', job({ source: 'a' }, { a: '!#include https://lists.example/' }), false],
];
for (const [what, given, expected] of cases)
  test(`${what}: ${expected ? 'local' : 'not local'}`, () => assert.equal(isLocal(given), expected));
