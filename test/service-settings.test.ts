import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from './support/kit/until.ts';
import { startService } from './support/service.ts';

test('a former setting name is a warning in the log', async (t) => {
  const { log } = await startService(t, ['--strangers', 'refuse']);
  const warnings = (): unknown[] => log.map(({ msg }) => msg).filter((msg) => String(msg).includes('deprecated'));
  await until('a warning', () => warnings().length > 0);
  assert.deepEqual(warnings(), ['--strangers: deprecated, use --unknown-clients']);
});
