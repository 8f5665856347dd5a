import assert from 'node:assert/strict';

const LOOK_MS = 5;
// A machine may be busy with other things. Nobody waits for as long unless the test fails.
const PATIENCE_MS = 30_000;

/** Looks again and again until it is so. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `waited in vain for ${what}`);
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
  }
}
