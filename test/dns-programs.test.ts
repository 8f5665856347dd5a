import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Over, overs } from './support/dig.ts';
import { DEVICE_DOMAIN, makeHome, startDns, until } from './support/dns.ts';
import { address, HERE, startWorld, worldOf } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { dnsmasqOptions, missing, run, startProgram } from './support/programs.ts';

// Common DNS programs in their Debian versions: each is answered, and its queries are logged for the device that it presents.

const world = await startWorld({ after }, worldOf([address('page.site.example', '127.0.0.1')]));
const home = await makeHome(await startDns({ after }, world.address, ['--private-domain', 'site.example']));
const { ports, certificate } = home.service;

const protocols: Readonly<Record<Over, string>> = { udp: 'DNS', tcp: 'DNS', dot: 'DOT', doh: 'DOH' };

async function assertLogged(domain: string, device: string, protocol: string): Promise<void> {
  for (const row of await home.logged(domain)) {
    assert.equal(row.device_id, device);
    assert.equal(row.dns_proto_type, protocol);
    assert.equal(row.dns_server_id, home.server);
    assert.equal(row.dns_response_type, 'RcodeSuccess');
  }
}

for (const over of overs)
  test(`${over === 'dot' ? 'kdig' : 'dig'} over ${over} is its device`, { skip: missing('dig', 'kdig') }, async () => {
    const { id } = await home.device(`dig over ${over}`);
    const domain = `dig-${over}.example.com`;
    const { status, answer } = await home.dug(id, over, domain);
    assert.equal(status, 'NOERROR');
    assert.deepEqual(answer, [`${domain}. 300 IN A ${HERE}`]);
    await assertLogged(domain, id, protocols[over]);
  });

for (const way of ['https', 'https-get'])
  test(`kdig +${way} is its device`, { skip: missing('kdig') }, async () => {
    const { id } = await home.device(`kdig ${way}`);
    const domain = `kdig-${way}.example.com`;
    const words = ['@127.0.0.1', '-p', `${ports.doh}`, `+tls-ca=${certificate}`, `+${way}=/dns-query/${id}`, domain];
    const { stdout, stderr } = await run('kdig', words);
    assert.match(stdout, /status: 200/, stderr);
    assert.match(stdout, new RegExp(`${domain}\\..*A\\s+${HERE}`));
    await assertLogged(domain, id, 'DOH');
  });

test('curl --doh-url finds a server by a name that only the resolver knows', { skip: missing('curl') }, async (t) => {
  const { id } = await home.device('curl');
  const page = createServer((_, response) => response.end('the page')).listen(0, '127.0.0.1');
  await once(page, 'listening');
  t.after(() => page.close());
  const { port } = page.address() as AddressInfo;
  const doh = `https://127.0.0.1:${ports.doh}/dns-query/${id}`;
  const url = `http://page.site.example:${port}/`;
  const { stdout, stderr } = await run('curl', [
    '-sS',
    '--noproxy',
    '*',
    '--cacert',
    certificate,
    '--doh-url',
    doh,
    url,
  ]);
  assert.equal(stdout, 'the page', stderr);
  await assertLogged('page.site.example', id, 'DOH');
});

test('Unbound forwards over TLS as the device whose name it connects to', {
  skip: missing('unbound', 'dig'),
}, async (t) => {
  const { id } = await home.device('unbound', 'ROUTER');
  const port = await freePort();
  const folder = await temporaryFolder(t, {
    'unbound.conf': `
server:
  interface: 127.0.0.1@${port}
  do-daemonize: no
  username: ""
  chroot: ""
  directory: "/"
  pidfile: ""
  use-syslog: no
  module-config: "iterator"
  do-not-query-localhost: no
  tls-cert-bundle: "${certificate}"
remote-control:
  control-enable: no
forward-zone:
  name: "."
  forward-tls-upstream: yes
  forward-addr: 127.0.0.1@${ports.dot}#${id}.${DEVICE_DOMAIN}
`,
  });
  startProgram(t, 'unbound', ['-d', '-c', join(folder, 'unbound.conf')]);
  assert.match(await askedAt(port, 'unbound.example.com'), new RegExp(`^${HERE}$`, 'm'));
  await assertLogged('unbound.example.com', id, 'DOT');
});

test('dnsmasq forwards as the device that --add-cpe-id names', { skip: missing('dnsmasq', 'dig') }, async (t) => {
  const { id } = await home.device('dnsmasq', 'ROUTER');
  const port = await freePort();
  const where = [`--port=${port}`, '--listen-address=127.0.0.1', '--bind-interfaces'];
  startProgram(t, 'dnsmasq', [...dnsmasqOptions, ...where, `--server=127.0.0.1#${ports.dns}`, `--add-cpe-id=${id}`]);
  assert.match(await askedAt(port, 'dnsmasq.example.com'), new RegExp(`^${HERE}$`, 'm'));
  await assertLogged('dnsmasq.example.com', id, 'DNS');
});

/** Waits for the first answer. */
const askedAt = (port: number, domain: string): Promise<string> =>
  until(`an answer at port ${port}`, async () => {
    const { code, stdout } = await run('dig', ['@127.0.0.1', '-p', `${port}`, '+short', '+tries=1', '+time=2', domain]);
    return code === 0 && stdout !== '' ? stdout : undefined;
  });
