import { readFileSync } from 'node:fs';
import { openTable } from '../src/engine/list-table.ts';
import { createDecider } from '../src/engine/match/decide.ts';
import { composeProfile } from '../src/engine/match/profile.ts';
import { loadTable } from '../src/filter-lists/table-file.ts';
import { wireName } from '../src/kit/wire-name.ts';
import { independentEngine } from './independent.ts';

/** Decides about the n-th name; true if a rule matches. */
export type Ask = (nth: number) => boolean;

/** A loaded engine with its size. */
export type Loaded = {
  readonly rules: number;
  /** Shared memory, which Node does not report per thread. */
  readonly sharedBytes: number;
  /** Clears its caches. */
  readonly asking: (names: readonly string[]) => Ask;
};

export const secret = Uint8Array.of(7, 6, 5, 4, 3, 2, 1, 0);
const A = 1;
const TYPE_AND_CLASS = 4;

/** Engines to compare: each loads the lists of the files. */
export const subjects: Readonly<Record<string, (files: readonly string[]) => Loaded | Promise<Loaded>>> = {
  weir,
  set,
  independent,
};

/** One per thread, independent of the number of rules. */
const { decide } = createDecider(secret);

/** Tables are saved beside their lists. */
export const tableOf = (file: string): string => `${file}.table`;

function weir(files: readonly string[]): Loaded {
  const tables = files.map((file) => {
    const loaded = loadTable(tableOf(file), secret);
    if (!loaded.ok) throw new Error(loaded.error);
    return openTable(file, loaded.value);
  });
  return {
    rules: tables.reduce((sum, { rules }) => sum + rules, 0),
    sharedBytes: tables.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
    asking: (names) => {
      // The verdict cache is per profile.
      const profile = composeProfile([{ source: 'filter lists', tables }]);
      const { bytes, starts } = onTheWire(names);
      const query = { name: bytes, at: 0, type: A };
      return (nth) => {
        query.at = starts[nth]!;
        return decide(query, profile).kind !== 'pass';
      };
    },
  };
}

/** Names in wire format, concatenated. */
export function onTheWire(names: readonly string[]): { readonly bytes: Uint8Array; readonly starts: Uint32Array } {
  const wires = names.map((name) => wireName(name)!);
  const starts = new Uint32Array(names.length);
  const bytes = new Uint8Array(wires.reduce((sum, { length }) => sum + length + TYPE_AND_CLASS, 0));
  let at = 0;
  for (const [nth, wire] of wires.entries()) {
    bytes.set(wire, at);
    starts[nth] = at;
    at += wire.length + TYPE_AND_CLASS;
  }
  return { bytes, starts };
}

/** The baseline: a `Set` of names per list, looked up for the name and its parent domains. */
function set(files: readonly string[]): Loaded {
  const sets = files.map((file) => {
    const text = readFileSync(file, 'latin1');
    const names = new Set<string>();
    // A substring keeps the whole text in memory; a copy does not.
    for (const [, name] of text.matchAll(/^(?:\|\||[\d.]+ )?([\w-]+(?:\.[\w-]+)+)\^?$/gm))
      names.add(Buffer.from(name!, 'latin1').toString('latin1'));
    return names;
  });
  const isIn = (names: ReadonlySet<string>, name: string): boolean => {
    for (let rest = name; ; ) {
      if (names.has(rest)) return true;
      const dot = rest.indexOf('.');
      if (dot === -1) return false;
      rest = rest.slice(dot + 1);
    }
  };
  return {
    rules: sets.reduce((sum, { size }) => sum + size, 0),
    sharedBytes: 0,
    asking: (names) => (nth) => sets.some((each) => isIn(each, names[nth]!)),
  };
}

async function independent(files: readonly string[]): Promise<Loaded> {
  const texts = files.map((file) => readFileSync(file, 'latin1'));
  const match = await independentEngine(texts);
  return {
    rules: texts.reduce((sum, text) => sum + text.split('\n').filter((line) => /^[^!#\s]/.test(line)).length, 0),
    sharedBytes: 0,
    asking: (names) => (nth) => match(names[nth]!) !== undefined,
  };
}
