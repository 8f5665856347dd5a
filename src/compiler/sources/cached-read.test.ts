import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrom } from '../../../test/support/compiler/reader.ts';
import type { Configuration } from '../configuration.ts';
import { cachedRead } from './cached-read.ts';
import type { Content } from './read-source.ts';

const { signal } = new AbortController();
const lists = { a: 'of a', b: 'of b', c: 'of c', d: 'of d' };

test('a source that a configuration uses once is fetched at every read', async () => {
  const { read, asked } = readFrom(lists);
  const once = cachedRead(read, { name: 'T', sources: [{ source: 'a' }] }, signal);
  await once({ source: 'a', as: 'source' });
  await once({ source: 'a', as: 'source' });
  assert.deepEqual(asked, ['a', 'a']);
});

test('a source that is used several times is read once', async () => {
  const configuration: Configuration = {
    name: 'T',
    sources: [{ source: 'a', exclusions_sources: ['c'] }, { source: 'b', mirrors: ['a'] }, { source: 'b' }],
    inclusions_sources: ['c', 'd', 'd'],
  };
  const { read, asked } = readFrom(lists);
  const once = cachedRead(read, configuration, signal);
  const contents = await Promise.all([
    once({ source: 'a', as: 'source' }),
    once({ source: 'a', as: 'source' }),
    once({ source: 'b', as: 'source' }),
    once({ source: 'b', as: 'source' }),
    once({ source: 'c', as: 'patterns' }),
    once({ source: 'd', as: 'patterns' }),
    once({ source: 'c', as: 'patterns' }),
    once({ source: 'd', as: 'patterns' }),
  ]);
  assert.deepEqual(asked, ['a', 'b', 'c', 'd']);
  const text = ({ bytes }: Content): string => new TextDecoder().decode(bytes);
  assert.deepEqual(contents.map(text), ['of a', 'of a', 'of b', 'of b', 'of c', 'of d', 'of c', 'of d']);
});

test('a source and a pattern file with the same name are read separately', async () => {
  const { read, asked } = readFrom(lists);
  const once = cachedRead(read, { name: 'T', sources: [{ source: 'a', exclusions_sources: ['a'] }] }, signal);
  await once({ source: 'a', as: 'source' });
  await once({ source: 'a', as: 'patterns' });
  assert.deepEqual(asked, ['a', 'a']);
});

test('a failed source is not fetched again', async () => {
  const { read, asked } = readFrom({});
  const once = cachedRead(read, { name: 'T', sources: [{ source: 'a' }, { source: 'a' }] }, signal);
  await assert.rejects(once({ source: 'a', as: 'source' }), /no a here/);
  await assert.rejects(once({ source: 'a', as: 'source' }), /no a here/);
  assert.deepEqual(asked, ['a']);
});

test('the reader gets the signal of the compilation', async () => {
  const once = cachedRead(
    async (_, given) => {
      assert.equal(given, signal);
      return { kind: 'file', bytes: new Uint8Array() };
    },
    { name: 'T', sources: [{ source: 'a' }] },
    signal,
  );
  await once({ source: 'a', as: 'source' });
});

test('nothing is read after the compilation was stopped', async () => {
  const stop = new AbortController();
  const { read, asked } = readFrom(lists);
  const once = cachedRead(read, { name: 'T', sources: [{ source: 'a' }] }, stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(once({ source: 'a', as: 'source' }), /enough/);
  assert.deepEqual(asked, []);
});
