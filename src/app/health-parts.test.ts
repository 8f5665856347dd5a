import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHealthParts } from './health-parts.ts';

type Sources = Parameters<typeof readHealthParts>[0];

const upstreams = (...states: readonly ('in' | 'out')[]) =>
  ({
    status: async () => ({ upstreams: { upstreams: states.map((state) => ({ state })) } }),
  }) as unknown as NonNullable<Sources['dns']>;
const log = (lagMs: number) => ({ stats: async () => ({ lagMs, waiting: 3 }) }) as unknown as Sources['records'];
const never = new Promise<never>(() => {});

test('each part reports its state', async () => {
  assert.deepEqual(
    await readHealthParts({ areSettingsCurrent: () => true, dns: upstreams('in', 'out'), records: log(1500) }),
    {
      settings: { state: 'current' },
      upstreams: { state: 'some down', up: 1, total: 2 },
      log: { state: 'storing', lagSeconds: 2, waiting: 3 },
    },
  );
  const bad = await readHealthParts({ areSettingsCurrent: () => false, dns: upstreams('out'), records: log(60_000) });
  assert.deepEqual([bad.settings.state, bad.upstreams?.state, bad.log?.state], ['last known', 'down', 'behind']);
});

test('a part that does not report does not delay the others', async () => {
  const dns = { status: () => never };
  const records = { stats: () => Promise.reject(new Error('lost')) };
  const parts = await readHealthParts({ areSettingsCurrent: () => true, dns, records });
  assert.deepEqual([parts.upstreams, parts.log], [{ state: 'unknown' }, { state: 'unknown' }]);
});

test('without DNS only the settings have a state', async () => {
  assert.deepEqual(await readHealthParts({ areSettingsCurrent: () => true, dns: undefined, records: log(0) }), {
    settings: { state: 'current' },
  });
});
