import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileWith, settingsWith } from './compile-for-tests.ts';
import { type CompiledList, listStrings } from './compiled-list.ts';
import { utf8 } from './lines/lines-for-tests.ts';
import { readFrom } from './sources/reader-for-tests.ts';
import { SourceError } from './sources/source-error.ts';

type Table = Parameters<typeof readFrom>[0];

async function compiled(configuration: object, table: Table = {}, skip = false): Promise<CompiledList> {
  const settings = settingsWith(readFrom(table).read, { explain: true, onSourceError: skip ? 'skip' : 'fail' });
  return (await compileWith({ name: 'T', ...configuration }, settings)).list;
}

test('a source that cannot be had fails the compilation, and is named', async () => {
  await assert.rejects(compiled({ sources: [{ source: 'a' }, { source: 'gone' }] }, { a: 'x' }), (error) => {
    assert.ok(error instanceof SourceError);
    assert.equal(error.source, 'gone');
    assert.equal(error.message, 'gone: no gone here');
    return true;
  });
});

test('a source that is skipped is said in the events, the header and the report, and leaves no other trace', async () => {
  const configuration = { name: 'T', sources: [{ source: 'gone', name: 'Gone' }, { source: 'b' }] };
  const { events, list } = await compileWith(
    configuration,
    settingsWith(readFrom({ b: 'b.com' }).read, { onSourceError: 'skip' }),
  );
  assert.deepEqual(events[2], { kind: 'source failed', index: 0, error: 'gone: no gone here', skipped: true });
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

test('when all are skipped the header remains', async () => {
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

test('a mirror takes the place of its source', async () => {
  const list = await compiled({ sources: [{ source: 'a', mirrors: ['b', 'c'] }] }, { c: 'c.com' });
  assert.deepEqual(listStrings(list).slice(6), ['!', '! Source: a', '!', 'c.com']);
  assert.equal(list.report.sources[0]?.outcome, 'read');
});

test('an earlier copy of a source is said in the header, the report and a warning', async () => {
  const table = { 'https://a.com/l': { kind: 'url', bytes: utf8('a.com'), freshness: 'stale' } } as const;
  const list = await compiled({ sources: [{ source: 'https://a.com/l', name: 'A' }] }, table);
  assert.equal(list.header[3], '! Earlier copy used: https://a.com/l');
  assert.equal(list.report.sources[0]?.outcome, 'stale');
  assert.deepEqual(list.report.warnings, ['A could not be had; an earlier copy is used']);
});

test('the report knows each source, its format, and how much of it stands in the list', async () => {
  const table = { a: '# x\n0 a.com\n0 b.com', b: '||b.com^\n||c.com^\n' };
  const { report } = await compiled(
    { sources: [{ source: 'a' }, { source: 'b' }], transformations: ['RemoveComments', 'Compress'] },
    table,
  );
  assert.deepEqual(
    report.sources.map(({ name, format, bytes, lines, kept }) => [name, format, bytes, lines, kept]),
    [
      ['a', 'hosts', 19, 3, 2],
      ['b', 'adblock', 18, 2, 1],
    ],
  );
  assert.deepEqual(report.kinds, {
    block: 3,
    allow: 0,
    hosts: 0,
    domain: 0,
    'regular expression': 0,
    comment: 0,
    empty: 0,
  });
  assert.deepEqual(report.steps, [
    { step: 'RemoveComments', source: undefined, before: 11, after: 4 },
    { step: 'Compress', source: undefined, before: 4, after: 3 },
  ]);
});

test('rules that a source shares with another are counted, whichever step finds them', async () => {
  const sources = [{ source: '||a.com^\n||b.com^\n||x.c.com^' }, { source: '||a.com^\n||c.com^\n||b.com^' }];
  const overlaps = async (step: string) => (await compiled({ sources, transformations: [step] })).report.overlaps;
  assert.deepEqual(await overlaps('Deduplicate'), [{ source: 0, of: 1, rules: 2 }]);
  assert.deepEqual(await overlaps('Compress'), [{ source: 1, of: 0, rules: 2 }]);
});

test('patterns that matched nothing are told with their place', async () => {
  const configuration = {
    sources: [{ source: 'a' }, { source: 'b', exclusions: ['b', 'never'], inclusions: ['*', '/no/'] }],
    exclusions: ['a.com', 'nothing'],
    inclusions_sources: ['p'],
  };
  const { report } = await compiled(configuration, { a: 'a.com', b: 'b.com', p: '*\nnowhere' });
  assert.deepEqual(report.unusedPatterns, [
    { where: 'sources[1].exclusions', pattern: 'never' },
    { where: 'sources[1].inclusions', pattern: '*' },
    { where: 'sources[1].inclusions', pattern: '/no/' },
    { where: 'exclusions', pattern: 'nothing' },
    { where: 'inclusions', pattern: 'nowhere' },
  ]);
});

test('every dropped rule is explained with its source, its line, the step and the reason', async () => {
  const { dropped } = await compiled(
    {
      sources: [
        { source: 'a', name: 'A', exclusions: ['cdn'] },
        { source: 'b', transformations: ['Validate'] },
      ],
      transformations: ['Compress', 'RemoveComments'],
    },
    { a: '||ads.com^\n\n||cdn.com^', b: '! about\n||x/y^\n0 www.ads.com' },
  );
  assert.deepEqual(
    dropped.map(({ rule, source, line, step, reason }) => `${source}:${line} ${rule} ${step}: ${reason}`),
    [
      'A:3 ||cdn.com^ exclusions: the exclusion "cdn" matches it',
      'b:2 ||x/y^ Validate: "/" cannot stand in a host name',
      'b:1 ! about Validate: it stands above a rule that was dropped',
      'b:3 ||www.ads.com^ Compress: a parent domain is blocked by "||ads.com^", line 1 of A',
    ],
  );
});

test('rules that differ only in case are counted in a warning', async () => {
  const { events, list } = await compileWith(
    { name: 'T', sources: [{ source: '||tracker.example.com^\n||TRACKER.example.com^\n||end.example.com^' }] },
    settingsWith(readFrom({}).read),
  );
  assert.match(list.report.warnings[0] ?? '', /^1 rules differ from another only in upper and lower case/);
  assert.deepEqual(events.at(-2), { kind: 'warning', message: list.report.warnings[0] });
});
