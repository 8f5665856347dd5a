import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect } from 'node:tls';
import { libc } from '../src/platform/libc.ts';
import { sendToNotifySocket, unixAddress } from '../src/platform/notify-socket.ts';
import { ensureSelfSigned } from '../src/resolver/transport/self-signed.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { makeHome, startDns, until } from './support/dns.ts';
import { addressIn, overUdp } from './support/dns-client.ts';
import { address, HERE, startWorld, worldOf } from './support/dns-upstream.ts';
import { startService } from './support/service.ts';

const MSG_DONTWAIT = 0x40;
// Another user could not read the temporary folder.
const asRoot = ['--user', 'off'];

/** The socket of a service manager, and the messages that it received. */
function notifySocket(t: TestContext, path: string) {
  const functions = libc();
  if (typeof functions === 'string') assert.fail(functions);
  const fd = functions.socket(1, 2, 0);
  const address = unixAddress(path);
  assert.equal(functions.bind(fd, address, address.length), 0, functions.lastError());
  t.after(() => functions.close(fd));
  const messages: string[] = [];
  const buffer = Buffer.alloc(512);
  const receive = (): readonly string[] => {
    for (;;) {
      const length = Number(functions.recv(fd, functions.addressOf(buffer), buffer.length, MSG_DONTWAIT));
      if (length <= 0) return messages;
      messages.push(buffer.toString('utf8', 0, length));
    }
  };
  return { receive };
}

test('systemd is notified of the start, a reload, the stop, and that the service is alive', async (t) => {
  const folder = await temporaryFolder(t, { 'weir.yaml': 'log-level: info\n' });
  const path = join(folder, 'notify');
  const { receive } = notifySocket(t, path);
  const env = { NOTIFY_SOCKET: path, WATCHDOG_USEC: '100000' };
  const flags = ['--config', join(folder, 'weir.yaml'), '--dns', '127.0.0.1:0', ...asRoot];
  const service = await startService(t, flags, { env });
  await until('the start', () => receive().includes('READY=1') || undefined);
  await until('the watchdog', () => receive().includes('WATCHDOG=1') || undefined);
  const before = receive().length;
  process.kill(service.pid, 'SIGHUP');
  await until('the reload', () => receive().slice(before).includes('READY=1') || undefined);
  const reloaded = receive()
    .slice(before)
    .filter((message) => message !== 'WATCHDOG=1');
  assert.match(reloaded[0]!, /^RELOADING=1\nMONOTONIC_USEC=\d+$/);
  assert.equal(await service.stop(), 0);
  assert.ok(receive().includes('STOPPING=1'));
});

test('SIGHUP applies the log level, names settings that need a restart, and keeps the settings if the file is invalid', async (t) => {
  const folder = await temporaryFolder(t, { 'weir.yaml': 'log-level: info\n' });
  const file = join(folder, 'weir.yaml');
  const service = await startService(t, ['--config', file, ...asRoot]);
  const entry = (text: string) => until(text, () => service.log.findLast(({ msg }) => msg === text));

  writeFileSync(
    file,
    'log-level: debug\nproduct-name: Other\nhttp-connections-per-address: 1\nlist-update-interval: 2h\n',
  );
  process.kill(service.pid, 'SIGHUP');
  assert.deepEqual((await entry('these settings change with a restart'))['settings'], ['product-name']);
  const live = ['log-level', 'http-connections-per-address', 'list-update-interval'];
  assert.deepEqual(((await entry('settings reloaded'))['applied'] as string[]).toSorted(), live.toSorted());
  // The second connection replaces the first one, which has no request.
  const sockets = Array.from({ length: 2 }, () => connectTcp(service.port, '127.0.0.1'));
  await once(sockets[0]!, 'close');
  for (const socket of sockets) socket.destroy();

  writeFileSync(file, 'log-level: loud\n');
  process.kill(service.pid, 'SIGHUP');
  const { problems } = await entry('settings not reloaded: the current ones stay in use');
  assert.match(String(problems), /loud/);
  assert.equal((await fetch(`${service.url}/health/live`)).status, 200);
});

test('SIGHUP applies upstreams, forwarding rules, the hosts file, and limits of queries and connections', async (t) => {
  const old = await startWorld(t, worldOf([address('www.example.com', '192.0.2.1')]));
  const next = await startWorld(t, worldOf([address('www.example.com', '192.0.2.2')]));
  const router = await startWorld(t, worldOf([address('nas.lan', '192.168.1.7')]));
  const folder = await temporaryFolder(t, { hosts: '192.0.2.9 printer.example\n' });
  const file = join(folder, 'weir.yaml');
  const write = (settings: object): void => writeFileSync(file, JSON.stringify(settings));
  write({ upstream: [old.address] });
  const service = await startDns(t, undefined, ['--config', file, ...asRoot]);
  const ask = await overUdp(t, service, (await (await makeHome(service)).device('asker')).id, 1);
  const addressOf = async (name: string) => addressIn(await ask(name));
  const reload = async (settings: object, msg = 'settings reloaded') => {
    const before = service.log.length;
    write(settings);
    process.kill(service.pid, 'SIGHUP');
    return until(msg, () => service.log.slice(before).find((entry) => entry['msg'] === msg));
  };
  assert.equal(await addressOf('www.example.com'), '192.0.2.1');

  const changed = { upstream: [next.address], forward: [`lan=${router.address}`], 'hosts-file': join(folder, 'hosts') };
  assert.deepEqual((await reload({ ...changed, drain: '1s' }))['applied'], [
    'upstream',
    'forward',
    'hosts-file',
    'drain',
  ]);
  // Answers of the previous upstream are not served from the cache, and forwarded names may have private addresses.
  assert.equal(await addressOf('www.example.com'), '192.0.2.2');
  assert.equal(await addressOf('nas.lan'), '192.168.1.7');
  assert.equal(await addressOf('printer.example'), '192.0.2.9');

  const invalid = { ...changed, bootstrap: ['resolver.example'], 'private-answers': 'allow' };
  const refused = await reload(invalid, 'settings not applied: the current ones stay in use');
  assert.deepEqual(refused['settings'], ['bootstrap', 'private-answers']);
  assert.equal(await addressOf('www.example.com'), '192.0.2.2');

  const limits = { 'queries-per-ten-seconds': 2, 'connections-per-client': 1 };
  await reload({ 'unlimited-clients': [], ...limits, upstream: [next.address] });
  const sockets = Array.from({ length: 2 }, () => connectTcp(service.ports.dns, '127.0.0.1'));
  await Promise.any(sockets.map((socket) => once(socket, 'close')));
  for (const socket of sockets) socket.destroy();
  const metrics = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();
  assert.match(metrics, /^weir_dns_listener_events_total\{transport="tcp",event="refused"\} 1$/m);
  assert.equal(addressIn(await ask('www.example.com')), '192.0.2.2');
  const limited = async (): Promise<void> => assert.ok((await ask('www.example.com')).truncated);
  await Promise.any(Array.from({ length: 8 }, limited));
});

test('with drain DNS and HTTP are answered while the service is not ready, until the time is over or a second signal comes', async (t) => {
  const world = await startWorld(t);
  const service = await startDns(t, world.address, ['--drain', '1h', ...asRoot]);
  const { id } = await (await makeHome(service)).device('asker');
  const ask = await overUdp(t, service, id, 1);
  process.kill(service.pid, 'SIGTERM');
  const ready = (): Promise<Response> => fetch(`${service.url}/health/ready`);
  await until('not ready', async () => ((await ready()).status === 503 ? true : undefined));
  assert.equal((await fetch(`${service.url}/health/live`)).status, 200);
  assert.equal(addressIn(await ask('drained.example.com')), HERE);
  assert.equal(await service.stop(), 0);
});

test('SIGHUP reads the certificate again', async (t) => {
  const folder = await temporaryFolder(t);
  const make = (name: string) => {
    mkdirSync(join(folder, name));
    return ensureSelfSigned({ folder: join(folder, name), names: [name], addresses: [], now: Date.now() });
  };
  const [one, two] = [await make('one.example'), await make('two.example')];
  const files = ['--certificate', one.certFile, '--certificate-key', one.keyFile];
  const service = await startService(t, ['--dot', '127.0.0.1:0', ...files, ...asRoot]);
  const { port } = service.log.find(({ msg }) => msg === 'listening')!['dot'] as { port: number };
  const served = async (): Promise<string> => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { subjectaltname } = socket.getPeerCertificate();
    socket.destroy();
    return String(subjectaltname);
  };
  assert.equal(await served(), 'DNS:one.example');
  renameSync(two.keyFile, one.keyFile);
  renameSync(two.certFile, one.certFile);
  process.kill(service.pid, 'SIGHUP');
  const startedAt = performance.now();
  await until('the new certificate', async () => ((await served()) === 'DNS:two.example' ? true : undefined));
  // Without a signal the files are read every 30 seconds.
  assert.ok(performance.now() - startedAt < 15_000);
});

test('a message to a socket that does not exist fails with a reason', () => {
  assert.equal(sendToNotifySocket('/nonexistent/notify', 'READY=1'), 'ENOENT');
  assert.equal(sendToNotifySocket(`@weir-test-${process.pid}`, 'READY=1'), 'ECONNREFUSED');
});
