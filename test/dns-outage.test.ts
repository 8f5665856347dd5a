import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overs } from './support/dig.ts';
import { makeHome, startDns, until } from './support/dns.ts';
import { address, HERE, startWorld, worldOf } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig', 'kdig') };
const STALE = 3;
const STALE_NOTHING = 19;
const NOBODY_REACHABLE = 22;

const short = worldOf(overs.map((over) => address(`short-${over}.example.com`, HERE, 1)));

const endings: Readonly<Record<string, (world: Awaited<ReturnType<typeof startWorld>>) => void>> = {
  'is gone': (world) => world.stop(),
  'says nothing more': (world) => world.change(() => undefined),
};

for (const [how, end] of Object.entries(endings))
  test(
    `when the upstream ${how}, cached answers are served stale, and other queries fail with an extended error`,
    needs,
    async (t) => {
      const world = await startWorld(t, short, await freePort());
      const home = await makeHome(await startDns(t, world.address));
      const { id } = await home.device('asker');
      await home.set({ user_rules_settings: { enabled: true, rules: ['||blocked.example.com^'] } });
      for (const over of overs) assert.equal((await home.dug(id, over, `short-${over}.example.com`)).status, 'NOERROR');
      end(world);

      await Promise.all(
        overs.map(async (over) => {
          const domain = `short-${over}.example.com`;
          const { answer } = await until('the answer to expire', async () => {
            const dug = await home.dug(id, over, domain);
            assert.equal(dug.status, 'NOERROR');
            return dug.extendedError === STALE ? dug : undefined;
          });
          assert.deepEqual(answer, [`${domain}. 30 IN A ${HERE}`]);
        }),
      );
      const begun = performance.now();
      const failures = await Promise.all(overs.map((over) => home.dug(id, over, `unknown-${over}.example.com`)));
      assert.ok(performance.now() - begun < 10_000);
      for (const { status, extendedError } of failures) {
        assert.equal(status, 'SERVFAIL');
        assert.equal(extendedError, NOBODY_REACHABLE);
      }
      for (const over of overs)
        assert.deepEqual((await home.dug(id, over, 'blocked.example.com')).answer, [
          'blocked.example.com. 10 IN A 0.0.0.0',
        ]);
      const rows = await home.logged('unknown-', overs.length);
      for (const { dns_response_type } of rows) assert.equal(dns_response_type, 'RcodeServerFailure');

      if (how === 'is gone') await startWorld(t, short, world.port);
      else world.change(short);
      await until('an answer again', async () => {
        const { status } = await home.dug(id, 'udp', 'unknown-udp.example.com');
        return status === 'NOERROR' || undefined;
      });
      t.diagnostic(
        `P5 the only upstream ${how}: ${overs.length} of ${overs.length} expired answers with TTL 30 and EDE 3, ${failures.length} of ${failures.length} others SERVFAIL with EDE 22`,
      );
    },
  );

test('a negative answer is served stale, too', needs, async (t) => {
  const world = await startWorld(t);
  world.change((asked) => {
    const said = worldOf()(asked)!;
    return { ...said, authority: said.authority!.map((record) => ({ ...record, ttl: 1 })) };
  });
  const home = await makeHome(await startDns(t, world.address));
  const { id } = await home.device('asker');
  assert.equal((await home.dug(id, 'udp', 'nx-short.example.com')).status, 'NXDOMAIN');
  world.stop();
  await until('the answer to expire', async () => {
    const { status, extendedError } = await home.dug(id, 'udp', 'nx-short.example.com');
    assert.equal(status, 'NXDOMAIN');
    return extendedError === STALE_NOTHING || undefined;
  });
});
