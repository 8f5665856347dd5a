import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHealthParts } from './health-parts.ts';

type Sources = Parameters<typeof readHealthParts>[0];

const upstreams = (...states: readonly ('in' | 'out')[]) =>
  ({
    status: async () => ({ upstreams: { upstreams: states.map((state) => ({ state })) } }),
  }) as unknown as NonNullable<Sources['dns']>;
const log = (lagMs: number, isReachable = true) =>
  ({ stats: async () => ({ lagMs, waiting: 3, isReachable }) }) as unknown as Sources['records'];
const changes = () => ({ revision: 7, lagMs: 2400 });
const never = new Promise<never>(() => {});

test('each part reports its state', async () => {
  assert.deepEqual(
    await readHealthParts({ areSettingsCurrent: () => true, changes, dns: upstreams('in', 'out'), records: log(1500) }),
    {
      settings: { state: 'current', revision: 7, lagSeconds: 2 },
      upstreams: { state: 'some down', up: 1, total: 2 },
      log: { state: 'storing', lagSeconds: 2, waiting: 3 },
    },
  );
  const isBad = { areSettingsCurrent: () => false, dns: upstreams('out'), records: log(60_000) };
  const bad = await readHealthParts({ ...isBad, changes });
  assert.deepEqual([bad.settings!.state, bad.upstreams?.state, bad.log?.state], ['last known', 'down', 'behind']);
  const lost = await readHealthParts({ ...isBad, changes, records: log(0, false) });
  assert.equal(lost.log?.state, 'unreachable');
  const stale = await readHealthParts({ ...isBad, changes: () => ({ revision: 7, lagMs: 31_000 }) });
  assert.deepEqual(stale.settings, { state: 'stale', revision: 7, lagSeconds: 31 });
});

test('a part that does not report does not delay the others', async () => {
  const dns = { status: () => never };
  const records = { stats: () => Promise.reject(new Error('lost')) };
  const parts = await readHealthParts({ areSettingsCurrent: () => true, changes, dns, records });
  assert.deepEqual([parts.upstreams, parts.log], [{ state: 'unknown' }, { state: 'unknown' }]);
});

test('without DNS only the settings have a state', async () => {
  assert.deepEqual(
    await readHealthParts({ areSettingsCurrent: () => true, changes, dns: undefined, records: log(0) }),
    {
      settings: { state: 'current', revision: 7, lagSeconds: 2 },
    },
  );
});
