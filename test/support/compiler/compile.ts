import assert from 'node:assert/strict';
import { type CompileSettings, compileEvents } from '../../../src/compiler/compile.ts';
import type { CompiledList } from '../../../src/compiler/compiled-list.ts';
import type { CompileEvent } from '../../../src/compiler/events.ts';
import type { ReadSource } from '../../../src/compiler/sources/read-source.ts';

export const settingsWith = (read: ReadSource, more: Partial<CompileSettings> = {}): CompileSettings => ({
  read,
  timestamp: new Date(0),
  compiledBy: 'Weir',
  ...more,
});

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const value of values) collected.push(value);
  return collected;
}

/** Compiles and returns all events and the list. */
export async function compileWith(
  configuration: unknown,
  settings: CompileSettings,
): Promise<{ events: CompileEvent[]; list: CompiledList }> {
  const events = await collect(compileEvents(configuration, settings));
  const last = events.at(-1);
  assert.ok(last?.kind === 'finished');
  return { events, list: last.list };
}
