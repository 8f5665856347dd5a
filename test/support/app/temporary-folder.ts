import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A folder with these files, deleted at the end of the test. */
export async function temporaryFolder(
  t: Pick<TestContext, 'after'>,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-'));
  // Retries, because a program that is about to exit may still write there.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}
