import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startService } from './support/service.ts';

test('a former setting name is a warning in the log', async (t) => {
  const { log } = await startService(t, ['--strangers', 'refuse']);
  const deadline = Date.now() + 5_000;
  while (log.length < 2 && Date.now() < deadline) await setTimeout(20);
  const warnings = log.map(({ msg }) => msg).filter((msg) => String(msg).includes('deprecated'));
  assert.deepEqual(warnings, ['--strangers: deprecated, use --unknown-clients']);
});
