import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Result } from '../kit/result.ts';

/** Reads and validates a JSON or YAML file of the operator; throws with all errors if it is invalid. */
export async function readDataFile<T>(
  file: string | undefined,
  check: (content: unknown) => Result<T, readonly unknown[]>,
): Promise<T> {
  const content: unknown = file === undefined ? undefined : parse(await readFile(file, 'utf8'), { maxAliasCount: 0 });
  const checked = check(content);
  if (checked.ok) return checked.value;
  const faults = checked.error.map((fault) => `\n  ${typeof fault === 'string' ? fault : words(fault)}`);
  throw new Error(`${file}:${faults.join('')}`);
}

const words = (fault: unknown): string =>
  typeof fault === 'object' && fault !== null && 'path' in fault && 'message' in fault
    ? `${String(fault.path)}: ${String(fault.message)}`
    : JSON.stringify(fault);
