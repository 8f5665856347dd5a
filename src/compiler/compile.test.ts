import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileWith, settingsWith } from '../../test/support/compiler/compile.ts';
import { readFrom } from '../../test/support/compiler/reader.ts';
import { ConfigurationError } from './check-configuration.ts';
import { listStrings } from './compiled-list.ts';
import type { CompileEvent } from './events.ts';

const HEADER_LINES = 6;

/** The lines below the header. */
async function compiled(configuration: object, table: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { list } = await compileWith({ name: 'T', ...configuration }, settingsWith(readFrom(table).read));
  return listStrings(list).slice(HEADER_LINES);
}

/** Short form of an event. */
function inWords(event: CompileEvent): string {
  const step = 'step' in event ? `: ${event.step}` : '';
  const index = 'index' in event && event.index !== undefined ? ` ${event.index}` : '';
  return `${event.kind}${index}${step}`;
}

test('events are emitted as they happen, and the last event carries the list', async () => {
  const configuration = {
    name: 'T',
    sources: [{ source: 'a', exclusions: ['x'], inclusions: ['*'], transformations: ['TrimLines', 'ConvertToAscii'] }],
    transformations: ['Compress'],
  };
  const { events } = await compileWith(configuration, settingsWith(readFrom({ a: '||a.com^' }).read));
  assert.deepEqual(events.map(inWords), [
    'source started 0',
    'source finished 0',
    ...['exclusions', 'inclusions', 'ConvertToAscii', 'TrimLines'].flatMap((step) => [
      `step started 0: ${step}`,
      `step finished 0: ${step}`,
    ]),
    'source compiled 0',
    'step started: Compress',
    'step finished: Compress',
    'finished',
  ]);
  assert.deepEqual(events[1], { kind: 'source finished', index: 0, bytes: 8, lines: 1, format: 'adblock' });
});

test('sources are concatenated, each below its header', async () => {
  assert.deepEqual(
    await compiled(
      { sources: [{ source: 'a', name: 'A' }, { source: 'b' }, { source: '||c.com^' }] },
      { a: 'a.com', b: '' },
    ),
    [
      ['!', '! Source name: A', '! Source: a', '!', 'a.com'],
      ['!', '! Source: b', '!', ''],
      ['!', '! Source: inline rules', '!', '||c.com^'],
    ].flat(),
  );
});

test('transformations of the whole list apply to the headers of sources, but never to its own header', async () => {
  const table = { a: '! x\n||a.com^' };
  assert.deepEqual(await compiled({ sources: [{ source: 'a' }], transformations: ['RemoveComments'] }, table), [
    '||a.com^',
  ]);
  assert.deepEqual(await compiled({ sources: [{ source: 'a', transformations: ['RemoveComments'] }] }, table), [
    '!',
    '! Source: a',
    '!',
    '||a.com^',
  ]);
  assert.deepEqual(await compiled({ sources: [{ source: 'a' }], inclusions: ['||'] }, table), ['||a.com^']);
});

test('exclusions are applied first, to unmodified lines', async () => {
  const transformations = ['Compress', 'TrimLines'];
  assert.deepEqual(
    await compiled({ sources: [{ source: '0 a.com\n0 b.com', transformations, exclusions: ['||a.com^', '0 b'] }] }),
    ['!', '! Source: inline rules', '!', '||a.com^'],
  );
});

test('an invalid configuration is rejected before anything is read', async () => {
  const { read, asked } = readFrom({ a: 'x' });
  await assert.rejects(
    compileWith({ name: 'T', sources: [{ source: 'a' }], extra: 1 }, settingsWith(read)),
    ConfigurationError,
  );
  assert.deepEqual(asked, []);
});

test('the type of a source is validated and has no effect', async () => {
  const list = 'a.com\n0.0.0.0 b.com\n||c.com^\n@@||d.com^';
  const transformations = ['Compress', 'Validate'];
  const typed = (type: object) => compiled({ sources: [{ source: 'a', ...type }], transformations }, { a: list });
  assert.deepEqual(await typed({ type: 'hosts' }), await typed({}));
  assert.deepEqual(await typed({ type: 'adblock' }), await typed({}));
});
