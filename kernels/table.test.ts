import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachBlock } from '../src/compiler/lines/blocks.ts';
import { createTable } from '../src/compiler/lines/workspace.ts';
import { linesInWorkspace } from '../test/support/kernels-workspace.ts';

type Outcome = {
  readonly same: readonly (readonly [number, number])[];
  readonly parents: readonly (readonly [number, number])[];
};

/** Strings that are already in the table, and names with a parent in it: each with the index of the other. */
function find(strings: readonly string[], hashOf?: (string: string) => number): Outcome {
  const lines = linesInWorkspace(strings);
  createTable(lines.text, strings.length);
  const run = (kernel: 'findOrAdd' | 'findParents'): [number, number][] => {
    const found: [number, number][] = [];
    eachBlock(lines, ({ kernels, block }, first, count) => {
      kernels.hashLines(count);
      if (hashOf) for (let at = 0; at < count; at++) block.hash[at] = hashOf(strings[first + at]!);
      const picked = kernels[kernel](count, first);
      for (const at of block.picked.subarray(0, picked)) found.push([at, block.found[at - first]!]);
    });
    return found;
  };
  return { same: run('findOrAdd'), parents: run('findParents') };
}

/** Reference with a Map. */
function plainly(strings: readonly string[]): Outcome {
  const places = new Map<string, number>();
  const same: [number, number][] = [];
  for (const [at, string] of strings.entries()) {
    const known = places.get(string);
    if (known === undefined) places.set(string, at);
    else same.push([at, known]);
  }
  const parents = strings.flatMap((string, at) => {
    const labels = string.split('.');
    const shortest = labels
      .map((_, from) => labels.slice(from).join('.'))
      .findLast((parent, from) => from > 0 && places.has(parent));
    return shortest === undefined ? [] : [[at, places.get(shortest)!] as const];
  });
  return { same, parents };
}

const label = fc.constantFrom('a', 'b', 'com', 'ads', 'Ä', 'a-long-label-of-many-characters');
const name = fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.'));
const odd = fc.constantFrom('.', '..', '.com', 'com.', 'a.com.', '.a.com');

test('names and their parents are found as in a Map', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: name }, odd), { maxLength: 200, size: 'max' }), (names) => {
      assert.deepEqual(find(names), plainly(names));
    }),
    { numRuns: 1000 },
  );
});

test('a table has the required size for several blocks of names', () => {
  const names = Array.from({ length: 15_000 }, (_, at) => `${at % 3 === 0 ? 'x.' : ''}a${at % 9_000}.com`);
  assert.deepEqual(find(names), plainly(names));
});

test('strings with the same hash stay distinct', () => {
  const strings = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), minLength: 1, maxLength: 12 }), {
    maxLength: 60,
    size: 'max',
  });
  fc.assert(
    fc.property(strings, (some) => assert.deepEqual(find(some, () => 7).same, plainly(some).same)),
    { numRuns: 300 },
  );
});
