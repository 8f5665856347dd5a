import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileWith, settingsWith } from '../../test/support/compiler/compile.ts';
import { readFrom } from '../../test/support/compiler/reader.ts';
import type { CompiledList } from './compiled-list.ts';

type Table = Parameters<typeof readFrom>[0];

async function compiled(configuration: object, table: Table = {}): Promise<CompiledList> {
  const settings = settingsWith(readFrom(table).read, { explain: true });
  return (await compileWith({ name: 'T', ...configuration }, settings)).list;
}

test('the report has each source, its format, and the number of its lines in the list', async () => {
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

test('rules that a source shares with another are counted in any step', async () => {
  const sources = [{ source: '||a.com^\n||b.com^\n||x.c.com^' }, { source: '||a.com^\n||c.com^\n||b.com^' }];
  const overlaps = async (step: string) => (await compiled({ sources, transformations: [step] })).report.overlaps;
  assert.deepEqual(await overlaps('Deduplicate'), [{ source: 0, of: 1, rules: 2 }]);
  assert.deepEqual(await overlaps('Compress'), [{ source: 1, of: 0, rules: 2 }]);
});

test('patterns that matched nothing are reported with their position', async () => {
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
    { a: '||ads.com^\n\n||cdn.com^', b: '! about\n||x/y^\n||www.ads.com^' },
  );
  assert.deepEqual(
    dropped.map(({ rule, source, line, step, reason }) => `${source}:${line} ${rule} ${step}: ${reason}`),
    [
      'A:3 ||cdn.com^ exclusions: the exclusion "cdn" matches it',
      'b:2 ||x/y^ Validate: "/" is not allowed in a host name',
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
