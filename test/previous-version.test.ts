import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Home, homeOf, makeHome, startDns, until } from './support/dns.ts';
import { addressIn, overUdp } from './support/dns-client.ts';
import { startWorld } from './support/dns-upstream.ts';
import { slow } from './support/kit/slow.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';

/** The commit of the last release; until there is one, the last commit before the newest schema changes. */
const PREVIOUS = 'b0597a77';
const BLOCKED = '0.0.0.0';
const root = fileURLToPath(new URL('..', import.meta.url));

/** The sources of the previous version, which run without a build; undefined in a checkout without its history. */
async function previousVersion(t: { after(end: () => unknown): void }): Promise<string | undefined> {
  const folder = await temporaryFolder(t);
  try {
    const files = ['src', 'bin', 'package.json'];
    const archive = execFileSync('git', ['archive', PREVIOUS, ...files], {
      cwd: root,
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  } catch {
    return undefined;
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin/weir');
}

test('the previous version and this one work on one database', slow, async (t) => {
  const program = await previousVersion(t);
  if (!program)
    return t.skip(`the history of this checkout does not have ${PREVIOUS}: fetch it with git fetch --unshallow`);
  const database = await newPostgresDatabase();
  if (database === undefined) return t.skip('PostgreSQL is not installed');
  const world = await startWorld(t);
  const flags = ['--database', database];
  const data = await temporaryFolder(t);
  const previous = await startDns(t, world.address, flags, { data, program });
  const home = await makeHome(previous);
  const { id: device } = await home.device('laptop');
  const current = await startDns(t, world.address, flags);
  const there = await homeOf(current, home.authorization);

  /** Blocks a domain at one node; both must obey. */
  const blocks = async (at: Home, domain: string): Promise<void> => {
    await at.set({ user_rules_settings: { enabled: true, rules: [`||${domain}^`] } });
    for (const node of [home.service, there.service]) {
      const ask = await overUdp(t, node, device, 1);
      await until(`${domain} at both nodes`, async () => (addressIn(await ask(domain)) === BLOCKED ? true : undefined));
    }
  };
  await blocks(there, 'changed-by-current.example.com');
  await blocks(home, 'changed-by-previous.example.com');

  // A restart of the previous version accepts the migrated database.
  assert.equal(await previous.stop(), 0);
  const again = await startDns(t, world.address, flags, { data, program });
  const restarted = await homeOf(again, home.authorization);
  assert.ok(again.log.some(({ msg }) => /newer version of Weir has migrated/.test(String(msg))));
  await restarted.set({ user_rules_settings: { enabled: true, rules: ['||after-restart.example.com^'] } });
  const ask = await overUdp(t, current, device, 1);
  await until('a change of the restarted node', async () =>
    addressIn(await ask('after-restart.example.com')) === BLOCKED ? true : undefined,
  );
  await there.logged('changed-by-previous.example.com', 2);
});
