import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

/** Another process that runs this module; it goes with the test. */
export function otherProcess(t: TestContext, source: string) {
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    cwd: new URL('../../../src/store/', import.meta.url),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout });
  return { child, lines, ended: ended(child) };
}

async function ended(child: ChildProcess): Promise<number | string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return code ?? signal ?? 'unknown';
}

/** The first lines it writes. */
export async function firstLine(lines: AsyncIterable<string>): Promise<string | undefined> {
  for await (const line of lines) return line;
  return undefined;
}
