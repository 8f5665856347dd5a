import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { connect } from 'node:tls';
import { types } from '../src/dns/numbers.ts';
import { startPebble } from './support/acme/pebble.ts';
import { DEVICE_DOMAIN, DNS_HOST, type DnsService, type Home, makeHome, startDns } from './support/dns.ts';
import { address, startWorld, text } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { until } from './support/kit/until.ts';
import { missing, run } from './support/programs.ts';

const skip = missing('pebble', 'dig');
const ports = { http: await freePort(), tls: await freePort(), dns: await freePort() };
const ZONE = 'acme.example.net';
const ALIAS = 'alias.example.org';

/** DNS for Pebble: all domains resolve to this machine, and challenge names are delegated to Weir, one of them by an alias. */
const resolver = new Resolver();
resolver.setServers([`127.0.0.1:${ports.dns}`]);
const world = await startWorld({ after }, async ({ name, type }) => {
  if (type !== types.TXT) return { answer: type === types.A ? [address(name, '127.0.0.1')] : [] };
  const delegated = name === `_acme-challenge.${ALIAS}` ? `${ALIAS}.${ZONE}` : name;
  const texts = await resolver.resolveTxt(delegated).catch(() => []);
  return { answer: texts.map((words) => text(name, words.join(''), 1)) };
});
const authority = skip
  ? undefined
  : await startPebble({ after }, { dns: world.address, httpPort: ports.http, tlsPort: ports.tls });

const start = (t: { after(end: () => unknown): void }, domains: string, ...flags: string[]): Promise<DnsService> =>
  startDns(t, '127.0.0.1:9', ['--acme-domains', domains, '--acme-directory', authority!.directory, ...flags], {
    env: { NODE_EXTRA_CA_CERTS: authority!.caFile },
  });

/** The names in the certificate for a client that trusts only Pebble; undefined if the handshake fails. */
async function presented(port: number, servername: string): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', servername, ca: authority!.root });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().subjectaltname;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

async function untilPresented(port: number, servername: string): Promise<string> {
  let names: string | undefined;
  await until(`a certificate for ${servername}`, async () => {
    names = await presented(port, servername);
    return names !== undefined;
  });
  return names!;
}

const system = (home: Home): Promise<Record<string, never>> => home.ask('GET', '/api/v1/system');

test('TLS-ALPN-01: the listener for DNS over HTTPS proves the domain and uses the certificate without a restart', {
  skip,
}, async (t) => {
  const service = await start(t, DNS_HOST, '--doh', `127.0.0.1:${ports.tls}`, '--acme-email', 'ops@example.org');
  assert.equal(await untilPresented(service.ports.doh, DNS_HOST), `DNS:${DNS_HOST}`);
  assert.equal(await presented(service.ports.dot, DNS_HOST), `DNS:${DNS_HOST}`);
  const folder = join(service.data, 'acme');
  assert.equal((await stat(join(folder, 'account.key'))).mode & 0o777, 0o600);
  const { acme, dns } = (await system(await makeHome(service))) as unknown as {
    acme: Record<string, unknown>;
    dns: { certificates: Record<string, unknown>[] };
  };
  assert.deepEqual([acme['domains'], acme['challenge'], acme['has_certificate']], [[DNS_HOST], 'tls-alpn-01', true]);
  assert.ok(Date.parse(String(acme['time_next_attempt'])) > Date.now());
  assert.equal(acme['last_error'], undefined);
  const [certificate] = dns.certificates;
  assert.deepEqual([certificate!['domains'], certificate!['is_self_signed']], [[DNS_HOST], false]);
  assert.match(String(certificate!['issuer']), /Pebble/);
});

test('HTTP-01: the challenge listener validates the domain and serves nothing else', { skip }, async (t) => {
  const service = await start(t, DNS_HOST, '--acme-challenge', 'http-01', '--acme-http', `127.0.0.1:${ports.http}`);
  assert.equal(await untilPresented(service.ports.doh, DNS_HOST), `DNS:${DNS_HOST}`);
  for (const path of ['/', '/.well-known/acme-challenge/', '/api/v1/system'])
    assert.equal((await fetch(`http://127.0.0.1:${ports.http}${path}`)).status, 404, path);
});

test('DNS-01: the resolver proves domains with wildcards to unknown clients, by delegation and by alias', {
  skip,
}, async (t) => {
  const domains = [DEVICE_DOMAIN, `*.${DEVICE_DOMAIN}`, ALIAS];
  const flags = ['--dns', `127.0.0.1:${ports.dns}`, '--acme-challenge', 'dns-01', '--acme-dns-zone', ZONE];
  const service = await start(t, domains.join(), ...flags);
  const names = await untilPresented(service.ports.dot, `abcdefgh.${DEVICE_DOMAIN}`);
  assert.deepEqual(names.split(', ').toSorted(), domains.map((domain) => `DNS:${domain}`).toSorted());

  const dig = async (...words: readonly string[]): Promise<string> =>
    (await run('dig', ['@127.0.0.1', '-p', `${ports.dns}`, '+norecurse', ...words])).stdout;
  const challenge = `_acme-challenge.${DEVICE_DOMAIN}`;
  for (const words of [[], ['+tcp']]) {
    const soa = await dig(challenge, 'SOA', ...words);
    assert.match(soa, /status: NOERROR.*\n;; flags: qr aa/);
    assert.match(soa, new RegExp(`IN\\s+SOA\\s+${DNS_HOST}`));
  }
  assert.match(await dig(challenge, 'NS'), new RegExp(`IN\\s+NS\\s+${DNS_HOST}`));
  // After the challenge, names above it are refused as before.
  assert.match(await dig(challenge.toUpperCase(), 'TXT'), /flags: qr aa.*ANSWER: 0, AUTHORITY: 1/);
  assert.match(await dig(`org.${ZONE}`, 'A'), /status: NOERROR/);
  assert.match(await dig(DEVICE_DOMAIN, 'TXT'), /status: REFUSED/);
});

test('a domain that cannot be proven is shown with advice, and the service stays ready', {
  skip,
}, async (t) => {
  // Nothing listens on the port that Pebble validates.
  const service = await start(t, DNS_HOST, '--acme-challenge', 'http-01', '--acme-http', '127.0.0.1:0');
  const home = await makeHome(service);
  let error: { text?: string; advice?: string } | undefined;
  await until('an error', async () => {
    error = ((await system(home)) as unknown as { acme: { last_error?: typeof error } }).acme.last_error;
    return error !== undefined;
  });
  assert.match(error!.advice!, /forward port 80/);
  assert.ok(service.log.some(({ msg, advice }) => msg === 'no certificate was obtained' && advice !== undefined));
  assert.equal((await fetch(`${service.url}/health/ready`)).status, 200);
});
