import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect, compileWith, settingsWith } from '../../test/support/compiler/compile.ts';
import { utf8 } from '../../test/support/compiler/lines.ts';
import { readFrom } from '../../test/support/compiler/reader.ts';
import { compileEvents } from './compile.ts';
import { listStrings } from './compiled-list.ts';
import type { CompileEvent } from './events.ts';
import type { ReadSource } from './sources/read-source.ts';

const inWords = (event: CompileEvent): string => ('index' in event ? `${event.kind} ${event.index}` : event.kind);

/** Sources that arrive on command. */
function controlled() {
  const arrive = new Map<string, () => void>();
  const fail = new Map<string, () => void>();
  const signals: AbortSignal[] = [];
  const read: ReadSource = ({ source }, signal) =>
    new Promise((resolve, reject) => {
      signals.push(signal);
      arrive.set(source, () => resolve({ kind: 'file', bytes: utf8(`${source}.com`) }));
      fail.set(source, () => reject(new Error('broken')));
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return {
    read,
    signals,
    arrive: (source: string) => arrive.get(source)?.(),
    fail: (source: string) => fail.get(source)?.(),
  };
}
const twoSources = { name: 'T', sources: [{ source: 'a' }, { source: 'b' }] };

test('sources are read concurrently, and are in the order of the configuration', async () => {
  const { read, arrive } = controlled();
  const told: string[] = [];
  for await (const event of compileEvents(twoSources, settingsWith(read))) {
    told.push(inWords(event));
    if (event.kind === 'source started' && event.index === 1) arrive('b');
    if (event.kind === 'source finished' && event.index === 1) arrive('a');
    if (event.kind === 'finished')
      assert.deepEqual(
        listStrings(event.list).filter((line) => !line.startsWith('!')),
        ['a.com', 'b.com'],
      );
  }
  assert.deepEqual(told, [
    'source started 0',
    'source started 1',
    'source finished 1',
    'source compiled 1',
    'source finished 0',
    'source compiled 0',
    'finished',
  ]);
});

test('with a concurrency of one, the second source waits for the first', async () => {
  const { read, arrive } = controlled();
  const told: string[] = [];
  for await (const event of compileEvents(twoSources, settingsWith(read, { concurrency: 1 }))) {
    told.push(inWords(event));
    if (event.kind === 'source started') arrive(event.index === 0 ? 'a' : 'b');
  }
  assert.deepEqual(told.slice(0, 5), [
    'source started 0',
    'source finished 0',
    'source compiled 0',
    'source started 1',
    'source finished 1',
  ]);
});

test('a signal ends the compilation and the reading, with its reason', async () => {
  const { read, signals } = controlled();
  const stop = new AbortController();
  const events = compileEvents(twoSources, settingsWith(read, { signal: stop.signal, onSourceError: 'skip' }));
  await events.next();
  const reason = new Error('enough');
  stop.abort(reason);
  await assert.rejects(collect(events), reason);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
});

test('a consumer that stops iterating stops the reading', async () => {
  const { read, signals } = controlled();
  for await (const event of compileEvents(twoSources, settingsWith(read))) {
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [false, false],
    );
    if (event.kind === 'source started') break;
  }
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
});

test('when one source fails the others are not read on', async () => {
  const { read, signals, fail } = controlled();
  const events = compileEvents(twoSources, settingsWith(read));
  await events.next();
  fail('a');
  await assert.rejects(collect(events), /a: broken/);
  assert.equal(signals[1]?.aborted, true);
});

test('a source or a pattern file that is used twice is read once', async () => {
  const { read, asked } = readFrom({ a: 'a.com\nads.com', p: 'ads' });
  const source = { source: 'a', exclusions_sources: ['p'] };
  const { list } = await compileWith(
    { name: 'T', sources: [source, source], inclusions_sources: ['p'] },
    settingsWith(read),
  );
  assert.deepEqual(asked.toSorted(), ['a', 'p']);
  assert.deepEqual(
    listStrings(list).filter((line) => !line.startsWith('!')),
    [],
  );
});

test('a signal ends the compilation with its reason also while patterns are read', async () => {
  const { read } = controlled();
  const stop = new AbortController();
  const events = collect(
    compileEvents({ ...twoSources, exclusions_sources: ['p'] }, settingsWith(read, { signal: stop.signal })),
  );
  const reason = new Error('enough');
  stop.abort(reason);
  await assert.rejects(events, reason);
});

test('a concurrency of zero is rejected', async () => {
  await assert.rejects(compileWith(twoSources, settingsWith(readFrom({ a: 'x', b: 'y' }).read, { concurrency: 0 })));
});
