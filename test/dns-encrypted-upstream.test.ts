import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';
import { certificateAuthority } from './support/resolver/upstream/certificates.ts';
import { answerTo } from './support/resolver/upstream/messages.ts';
import { startTlsUpstream } from './support/resolver/upstream/upstream.ts';

const needs = { skip: missing('dig') };

test(
  'AD of an encrypted upstream reaches clients that ask for it, and the log; dnssec: off drops it',
  needs,
  async (t) => {
    const authority = certificateAuthority();
    const upstream = await startTlsUpstream(t, authority.issue('dns.example'), {
      tcp: (query, { reply }) => reply(answerTo(query, { authenticData: true })),
    });
    const folder = mkdtempSync(join(tmpdir(), 'weir-'));
    t.after(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o755);
    const trusted = join(folder, 'ca.pem');
    writeFileSync(trusted, authority.cert);
    const start = async (...flags: string[]) => {
      const address = `tls://dns.example:${upstream.port}#127.0.0.1`;
      const home = await makeHome(await startDns(t, address, flags, { env: { NODE_EXTRA_CA_CERTS: trusted } }));
      return { home, id: (await home.device('validates')).id };
    };
    const passing = await start();
    for (const _ of ['from the upstream', 'from the cache']) {
      const asked = await passing.home.dug(passing.id, 'udp', '+adflag', 'signed.example');
      assert.ok(asked.flags.includes('ad'), asked.flags.join());
      assert.ok(
        (await passing.home.dug(passing.id, 'udp', '+noadflag', '+dnssec', 'signed.example')).flags.includes('ad'),
      );
      const silent = await passing.home.dug(passing.id, 'udp', '+noadflag', '+nodnssec', 'signed.example');
      assert.ok(!silent.flags.includes('ad'), 'the client did not ask for it (RFC 6840, 5.8)');
    }
    assert.deepEqual([...new Set((await passing.home.logged('signed.example')).map(({ dnssec }) => dnssec))], [true]);
    const off = await start('--dnssec', 'off');
    assert.ok(!(await off.home.dug(off.id, 'udp', '+adflag', 'signed.example')).flags.includes('ad'));
    assert.equal((await off.home.logged('signed.example'))[0]!.dnssec, false);
  },
);

test('with client-subnet: forward an answer has the scope of the subnet that the upstream got', needs, async (t) => {
  const world = await startWorld(t);
  const home = await makeHome(await startDns(t, world.address, ['--client-subnet', 'forward']));
  const { id } = await home.device('far away');
  await home.set({ user_rules_settings: { enabled: true, rules: ['||blocked.example^'] } });
  const scope = async (subnet: string, name: string): Promise<string | undefined> => {
    const option = `+ednsopt=65074:${Buffer.from(id).toString('hex')}`;
    const words = ['@127.0.0.1', '-p', String(home.service.ports.dns), `+subnet=${subnet}`, option, name];
    const { stdout } = await promisify(execFile)('dig', words);
    return /CLIENT-SUBNET: (\S+)/.exec(stdout)?.[1];
  };
  assert.equal(await scope('198.51.100.77/32', 'www.example.org'), '198.51.100.77/32/24');
  assert.equal(await scope('198.51.100.0/20', 'www.example.org'), '198.51.96.0/20/20');
  assert.equal(await scope('192.168.1.0/24', 'www.example.org'), '192.168.1.0/24/0', 'private: not sent');
  assert.equal(await scope('198.51.100.0/24', 'blocked.example'), '198.51.100.0/24/0', 'the same for all');
});
