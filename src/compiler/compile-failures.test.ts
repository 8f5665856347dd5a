import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileWith, settingsWith } from '../../test/support/compiler/compile.ts';
import { utf8 } from '../../test/support/compiler/lines.ts';
import { readFrom } from '../../test/support/compiler/reader.ts';
import { type CompiledList, listStrings } from './compiled-list.ts';
import { SourceError } from './sources/source-error.ts';

type Table = Parameters<typeof readFrom>[0];

async function compiled(configuration: object, table: Table = {}, skip = false): Promise<CompiledList> {
  const settings = settingsWith(readFrom(table).read, { onSourceError: skip ? 'skip' : 'fail' });
  return (await compileWith({ name: 'T', ...configuration }, settings)).list;
}

test('a source that cannot be downloaded fails the compilation, and is named', async () => {
  await assert.rejects(compiled({ sources: [{ source: 'a' }, { source: 'gone' }] }, { a: 'x' }), (error) => {
    assert.ok(error instanceof SourceError);
    assert.equal(error.source, 'gone');
    assert.equal(error.message, 'gone: no gone here');
    return true;
  });
});

test('a skipped source is reported in the events, the header and the report only', async () => {
  const configuration = { name: 'T', sources: [{ source: 'gone', name: 'Gone' }, { source: 'b' }] };
  const { events, list } = await compileWith(
    configuration,
    settingsWith(readFrom({ b: 'b.com' }).read, { onSourceError: 'skip' }),
  );
  const failed = events.find((event) => event.kind === 'source failed');
  assert.deepEqual([failed?.index, failed?.skipped, failed?.error.message], [0, true, 'gone: no gone here']);
  assert.deepEqual(listStrings(list).slice(1), [
    '! Title: T',
    '! Last modified: 1970-01-01T00:00:00.000Z',
    '! Skipped source: gone (gone: no gone here)',
    '!',
    '! Compiled by Weir',
    '!',
    '!',
    '! Source: b',
    '!',
    'b.com',
  ]);
  const [gone, b] = list.report.sources;
  assert.deepEqual(gone, {
    source: 'gone',
    name: 'Gone',
    outcome: 'skipped',
    error: 'gone: no gone here',
    format: 'empty',
    bytes: 0,
    lines: 0,
    kept: 0,
  });
  assert.equal(b?.outcome, 'read');
});

test('if all sources are skipped, the list has only a header', async () => {
  const list = await compiled({ sources: [{ source: 'x' }, { source: 'y' }] }, {}, true);
  assert.deepEqual(listStrings(list), list.header);
  assert.equal(list.header.length, 8);
});

test('pattern files of the whole list cannot be skipped', async () => {
  await assert.rejects(
    compiled({ sources: [{ source: 'a' }], exclusions_sources: ['gone'] }, { a: 'x' }, true),
    /gone: no gone here/,
  );
});

test('a mirror replaces its source', async () => {
  const list = await compiled({ sources: [{ source: 'a', mirrors: ['b', 'c'] }] }, { c: 'c.com' });
  assert.deepEqual(listStrings(list).slice(6), ['!', '! Source: a', '!', 'c.com']);
  assert.equal(list.report.sources[0]?.outcome, 'read');
});

test('the use of an earlier copy is reported in the header, the report and a warning', async () => {
  const table = { 'https://a.com/l': { kind: 'url', bytes: utf8('a.com'), freshness: 'stale' } } as const;
  const list = await compiled({ sources: [{ source: 'https://a.com/l', name: 'A' }] }, table);
  assert.equal(list.header[3], '! Earlier copy used: https://a.com/l');
  assert.equal(list.report.sources[0]?.outcome, 'stale');
  assert.deepEqual(list.report.warnings, ['A could not be downloaded; an earlier copy is used']);
});
