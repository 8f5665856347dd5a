import assert from 'node:assert/strict';

const LOOK_MS = 5;
// Generous for busy machines; only a failing test waits this long.
const PATIENCE_MS = 30_000;

/** Polls until the condition holds. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `waited in vain for ${what}`);
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
  }
}
