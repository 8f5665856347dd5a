import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startClaimedAddress } from './support/attacks/claimed-address.ts';
import { type Home, makeHome, startDns } from './support/dns.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { missing, run } from './support/programs.ts';
import { addAccount } from './support/second-account.ts';

const needs = { skip: missing('dig', 'curl') };
const FORGED = '6.6.6.6';
const CLAIMS = 10;
const world = await startWorld({ after });
const service = await startDns({ after }, world.address, ['--link-private-address', 'allow']);
const household = await makeHome(service);
const attacker = await addAccount(service, 'claims@example.org');

const openFrom = async (address: string, url: string): Promise<string> =>
  (await run('curl', ['-sS', '--noproxy', '*', '--interface', address, url])).stdout;

test('an address that another account typed in is served to its own household only', needs, async (t) => {
  const address = '127.0.0.7';
  const domain = 'bank.example.com';
  const claim = await startClaimedAddress({ ...attacker, url: service.url, address, domain, forged: FORGED });
  t.after(claim.stop);
  assert.equal(claim.status, 200, 'a claim is accepted whether or not another account has the address');
  const asked = () => household.dug(undefined, 'udp', '-b', address, domain);
  const before = await asked();
  t.diagnostic(`after the claim ${address} gets ${before.answer.join() || before.status}`);
  assert.equal(before.status, 'REFUSED');

  const { id } = await household.device('Router', 'ROUTER');
  const { link_url } = await household.ask('GET', `/api/v1/devices/${id}/linked_address`);
  assert.match(await openFrom(address, link_url), /has been linked to Router/);
  for (const over of ['udp', 'tcp'] as const) {
    const { answer } = await household.dug(undefined, over, '-b', address, domain);
    assert.match(answer[0] ?? '', new RegExp(` A ${HERE}$`));
  }
  const right = new RegExp(` A ${HERE}$`);
  let served = 0;
  for (let claims = 0; claims < CLAIMS; claims++) {
    const again = await startClaimedAddress({ ...attacker, url: service.url, address, domain, forged: FORGED });
    t.after(again.stop);
    served += right.test((await asked()).answer[0] ?? '') ? 1 : 0;
  }
  t.diagnostic(
    `after the household linked its address: ${served} of ${CLAIMS} right answers, each after another claim`,
  );
  assert.equal(served, CLAIMS);
  assert.equal(
    (await household.logged(domain, CLAIMS + 2)).every(({ device_id }) => device_id === id),
    true,
  );
});

const claimBy = async (home: Home, name: string, ip: string) => {
  const { id } = await home.device(name, 'ROUTER');
  const at = `/api/v1/devices/${id}/linked_address`;
  const claimed = await home.ask('PUT', at, { ip });
  assert.deepEqual([claimed.ip, claimed.pending_ip], [undefined, ip]);
  return { id, proof: claimed.proof_name as string, shown: () => home.ask('GET', at) };
};

const proveOver = (over: 'udp' | 'tcp' | 'dot' | 'doh', from: string, proof: string, ...words: string[]) =>
  household.dug(undefined, over, '-b', from, ...words, '-c', 'CH', '-t', 'TXT', proof);

test('a query for the proof name links a pending address, over TCP and from there', needs, async () => {
  const address = '127.0.0.21';
  const { id, proof, shown } = await claimBy(household, 'Proven', address);
  assert.equal((await household.dug(undefined, 'udp', '-b', address, 'www.example.com')).status, 'REFUSED');

  const elsewhere = await proveOver('tcp', '127.0.0.22', proof);
  assert.match(elsewhere.answer[0] ?? '', /TXT "not linked: this query came from 127\.0\.0\.22"$/);
  const unknown = await proveOver('tcp', address, `${'a'.repeat(26)}.link.server`);
  assert.equal(unknown.status, 'REFUSED');
  assert.equal((await shown()).pending_ip, address);

  // The first answer, over UDP, is truncated: dig asks again over TCP.
  const proven = await proveOver('udp', address, proof);
  assert.match(proven.answer[0] ?? '', /TXT "127\.0\.0\.21 has been linked"$/);
  const { ip, pending_ip } = await shown();
  assert.deepEqual([ip, pending_ip], [address, undefined]);
  const domain = 'proven.example.com';
  assert.equal((await household.dug(undefined, 'udp', '-b', address, domain)).status, 'NOERROR');
  assert.equal((await household.logged(domain))[0]!.device_id, id);
});

test('over TLS a proof counts; over UDP, where a source can be forged, and over HTTPS it does not', needs, async () => {
  const address = '127.0.0.23';
  const { proof, shown } = await claimBy(household, 'Over others', address);
  const forged = await proveOver('udp', address, proof, '+ignore');
  assert.ok(forged.flags.includes('tc'));
  assert.deepEqual(forged.answer, []);
  await proveOver('doh', address, proof);
  assert.deepEqual([(await shown()).ip, (await shown()).pending_ip], [undefined, address]);
  const { answer } = await proveOver('dot', address, proof);
  assert.match(answer[0] ?? '', /"127\.0\.0\.23 has been linked"$/);
  assert.equal((await shown()).ip, address);
});

test('the newest proof has the address', needs, async () => {
  const address = '127.0.0.24';
  const [first, second] = [await claimBy(attacker, 'First', address), await claimBy(household, 'Second', address)];
  const linked = async () => [(await first.shown()).ip, (await second.shown()).ip];
  await proveOver('tcp', address, first.proof);
  assert.deepEqual(await linked(), [address, undefined]);
  await proveOver('tcp', address, second.proof);
  assert.deepEqual(await linked(), [undefined, address]);
  assert.equal((await first.shown()).pending_ip, address);
  const domain = 'newest.example.com';
  assert.equal((await household.dug(undefined, 'udp', '-b', address, domain)).status, 'NOERROR');
  assert.equal((await household.logged(domain))[0]!.device_id, second.id);
});
