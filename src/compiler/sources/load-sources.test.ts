import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, utf8 } from '../../../test/support/compiler/lines.ts';
import { readFrom } from '../../../test/support/compiler/reader.ts';
import type { Configuration } from '../configuration.ts';
import { toStrings } from '../lines/lines.ts';
import { createWorkspace } from '../lines/workspace.ts';
import type { Read } from './cached-read.ts';
import { loadFilters, loadSources } from './load-sources.ts';
import { SourceError } from './source-error.ts';

const { signal } = new AbortController();
const reading = (table: Readonly<Record<string, string>>): Read => {
  const { read } = readFrom(table);
  return (request) => read(request, signal);
};

async function load(sources: Configuration['sources'], read: Read, concurrency = 1): Promise<string[]> {
  const told: string[] = [];
  for await (const news of loadSources({ name: 'T', sources }, createWorkspace(), { read }, concurrency)) {
    const { kind, index } = news;
    if (kind === 'source loaded') told.push(`${index} loaded ${toStrings(news.lines).join(' ')}`);
    else if (kind === 'source not loaded') told.push(`${index} failed ${news.error.message}`);
    else told.push(`${index} ${kind}`);
  }
  return told;
}

test('an event marks the start and the end of each source', async () => {
  assert.deepEqual(await load([{ source: 'a' }, { source: 'b' }], reading({ a: 'x\ny', b: '' })), [
    '0 source started',
    '0 loaded x y',
    '1 source started',
    '1 loaded ',
  ]);
});

test('a source that cannot be read does not prevent reading the others', async () => {
  assert.deepEqual(await load([{ source: 'gone' }, { source: 'b' }], reading({ b: 'x' })), [
    '0 source started',
    '0 failed gone: no gone here',
    '1 source started',
    '1 loaded x',
  ]);
});

test('mirrors are tried in turn, and includes are relative to the used mirror', async () => {
  const asked: string[] = [];
  const table = reading({ 'https://c.com/l/list': '!#include more', 'https://c.com/l/more': 'x' });
  const told = await load(
    [
      {
        source: 'https://a.com/l/list',
        mirrors: ['https://b.com/l/list', 'https://c.com/l/list', 'https://d.com/list'],
      },
    ],
    (request) => {
      asked.push(request.source);
      return table(request);
    },
  );
  assert.deepEqual(told, ['0 source started', '0 loaded x']);
  assert.deepEqual(asked, [
    'https://a.com/l/list',
    'https://b.com/l/list',
    'https://c.com/l/list',
    'https://c.com/l/more',
  ]);
});

test('if all mirrors fail, the error is that of the source', async () => {
  assert.deepEqual(await load([{ source: 'a', mirrors: ['b', 'c'] }], reading({})), [
    '0 source started',
    '0 failed a: no a here',
  ]);
});

test('progress and retries are reported as they happen', async () => {
  const told = await load([{ source: 'a' }], async ({ onProgress, onRetry }) => {
    onProgress?.({ receivedBytes: 1 });
    onRetry?.({ reason: 'busy', waitMs: 1, attempt: 1 });
    return { kind: 'file', bytes: utf8('x') };
  });
  assert.deepEqual(told, ['0 source started', '0 source progress', '0 source retried', '0 loaded x']);
});

test('the number of concurrent reads is limited', async () => {
  let open = 0;
  let most = 0;
  const sources = Array.from({ length: 9 }, (_, at) => ({ source: `${at}` }));
  await load(
    sources,
    async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return { kind: 'file', bytes: utf8('x') };
    },
    4,
  );
  assert.equal(most, 4);
});

test('patterns come from the configuration and from files, without comments and blank lines', async () => {
  const table = { p: '! comment\n# another\n\nads\n \n  spaced\n!#if true\n!#include q\n!#endif', q: '/x/' };
  const { exclude, include } = await loadFilters(
    { exclusions: ['! own'], exclusions_sources: ['p'], inclusions: [] },
    { read: reading(table) },
  );
  assert.deepEqual(exclude?.patterns, ['! own', 'ads', '  spaced', '/x/']);
  assert.equal(include, undefined);
});

test('an empty pattern file has no effect', async () => {
  assert.equal(
    (await loadFilters({ inclusions_sources: ['p'] }, { read: reading({ p: '! nothing\n' }) })).include,
    undefined,
  );
});

test('a pattern file that cannot be read is named in the error', async () => {
  await assert.rejects(loadFilters({ exclusions_sources: ['gone'] }, { read: reading({}) }), (error) => {
    assert.ok(error instanceof SourceError);
    assert.equal(error.source, 'gone');
    assert.match(error.message, /^exclusions of the list: gone: no gone here/);
    return true;
  });
  assert.deepEqual(await load([{ source: 'a', exclusions_sources: ['gone'] }], reading({ a: 'x' })), [
    '0 source started',
    '0 failed exclusions of a: gone: no gone here',
  ]);
});

test('an invalid pattern is reported with its file', async () => {
  await assert.rejects(
    loadFilters({ exclusions_sources: ['p'] }, { read: reading({ p: 'ok\n/(/' }) }),
    /^SourceError: exclusions of the list: p: Invalid regular/,
  );
});

test('patterns from files and from the configuration match in the same way', async () => {
  const { exclude } = await loadFilters({ exclusions_sources: ['p'] }, { read: reading({ p: '||*.ads.com^' }) });
  assert.equal(exclude?.match(linesOf(['||x.ADS.com^']), 0), 0);
});

test('the limits of includes are enforced', async () => {
  const read = reading({ a: '!#include b', b: '!#include c', c: 'x' });
  const sources = [{ source: 'a' }];
  for (const [includeLimits, expected] of [
    [{ maxDepth: 2, maxIncludes: 2 }, /^source loaded$/],
    [{ maxDepth: 1, maxIncludes: 2 }, /nested more than 1 deep/],
    [{ maxDepth: 2, maxIncludes: 1 }, /more than 1 includes/],
  ] as const) {
    const news = await Array.fromAsync(
      loadSources({ name: 'T', sources }, createWorkspace(), { read, includeLimits }, 1),
    );
    const last = news.at(-1)!;
    assert.match(last.kind === 'source not loaded' ? last.error.message : last.kind, expected);
  }
});
