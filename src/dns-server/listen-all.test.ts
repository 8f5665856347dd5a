import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../resolver/transport/listener.ts';
import { listenAll } from './listen-all.ts';

type Fault = 'EADDRINUSE' | 'EACCES' | 'EAFNOSUPPORT';

/** A machine on which some addresses are unavailable; free ports begin at 50,000. Records what listens. */
function machine(faults: Readonly<Record<string, Fault>>) {
  const open = new Map<string, Endpoint>();
  let free = 50_000;
  const take = async (on: string, { host, port }: Endpoint): Promise<Endpoint> => {
    const code = faults[`${on} ${host}:${port}`] ?? faults[`${on} ${host}`];
    if (code) throw Object.assign(new Error(`${code} ${on}`), { code });
    const got = { host, port: port || free++ };
    open.set(on, got);
    return got;
  };
  return {
    open,
    listen: (on: string, endpoint: Endpoint) => take(on, endpoint),
    listenUdp: (endpoint: Endpoint) => take('udp', endpoint),
    unlisten: async (on: string) => void open.delete(on),
    unlistenUdp: async () => void open.delete('udp'),
  };
}

const all = { dns: { host: '::', port: 53 }, dot: { host: '::', port: 853 }, doh: { host: '::', port: 443 } } as const;

async function listenOn(
  faults: Readonly<Record<string, Fault>>,
  settings: Parameters<typeof listenAll>[1],
  isDefault = true,
) {
  const here = machine(faults);
  const warnings: string[] = [];
  const log = { warn: (_: unknown, text?: string) => void warnings.push(text ?? '') };
  const where = await listenAll(here, settings, () => isDefault, log as Parameters<typeof listenAll>[3]);
  return { where, warnings, open: here.open };
}

test('all listen where they should, plain DNS over UDP before TCP at one port', async () => {
  const { where, warnings, open } = await listenOn({}, all);
  assert.deepEqual(where, all);
  assert.deepEqual([...open.keys()], ['udp', 'tcp', 'dot', 'doh']);
  assert.deepEqual(warnings, []);
});

test('a disabled listener binds no port', async () => {
  const { where, open } = await listenOn({}, { ...all, dot: 'off', doh: 'off' });
  assert.deepEqual(where, { dns: all.dns });
  assert.deepEqual([...open.keys()], ['udp', 'tcp']);
});

test('UDP gets the port that TCP got', async () => {
  const { where, open } = await listenOn({}, { dns: { host: '127.0.0.1', port: 0 }, dot: 'off', doh: 'off' });
  assert.deepEqual(where.dns, { host: '127.0.0.1', port: 50_000 });
  assert.deepEqual(open.get('udp'), open.get('tcp'));
});

test('of ports that the system chooses, one that is free over TCP only is not taken', async () => {
  const somewhere = { dns: { host: '127.0.0.1', port: 0 }, dot: 'off', doh: 'off' } as const;
  const { where, open } = await listenOn({ 'udp 127.0.0.1:50000': 'EADDRINUSE' }, somewhere, false);
  assert.deepEqual(where.dns, { host: '127.0.0.1', port: 50_001 });
  assert.deepEqual(open.get('tcp'), where.dns);
  await assert.rejects(listenOn({ 'udp 127.0.0.1': 'EADDRINUSE' }, somewhere, false), { code: 'EADDRINUSE' });
});

for (const taken of ['tcp', 'udp'])
  test(`a default port whose ${taken} another program uses is replaced by another, and the log says how to free it`, async () => {
    const { where, warnings, open } = await listenOn({ [`${taken} :::53`]: 'EADDRINUSE' }, all);
    assert.deepEqual(where, { ...all, dns: { host: '::', port: 5300 } });
    assert.deepEqual([open.get('tcp'), open.get('udp')], [where.dns, where.dns]);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0]!, /^plain DNS cannot listen on port 53, so it listens on 5300: .*DNSStubListener=no/);
  });

test('when the other port is taken as well, any will do', async () => {
  const faults = { 'dot :::853': 'EADDRINUSE', 'dot :::8853': 'EADDRINUSE' } as const;
  const { where, warnings } = await listenOn(faults, all);
  assert.deepEqual(where.dot, { host: '::', port: 50_000 });
  assert.match(warnings[0]!, /^DNS over TLS cannot listen on port 853, so it listens on 50000: /);
});

test('a user without permission for the port sees how to get it', async () => {
  const { where, warnings } = await listenOn({ 'doh :::443': 'EACCES' }, all);
  assert.equal(where.doh!.port, 8443);
  assert.match(warnings[0]!, /^DNS over HTTPS cannot listen on port 443, .*ports below 1024.*setcap/);
});

for (const fault of ['tcp :::53', 'udp :::53', 'dot :::853', 'doh :::443'])
  test(`a configured port is not replaced by another (${fault})`, async () => {
    const [, port] = /(\d+)$/.exec(fault)!;
    const refused = { code: 'EADDRINUSE', address: '::', port: Number(port) };
    await assert.rejects(listenOn({ [fault]: 'EADDRINUSE' }, all, false), refused);
  });

test('the TCP socket is closed when UDP cannot be bound', async () => {
  const here = machine({ 'udp :::53': 'EADDRINUSE' });
  const settings = { dns: all.dns, dot: 'off', doh: 'off' } as const;
  await assert.rejects(listenAll(here, settings, () => false, { warn: () => undefined }));
  assert.deepEqual([...here.open.keys()], []);
});

test('a machine without IPv6 has all of its other addresses', async () => {
  const faults = { tcp: 'EAFNOSUPPORT', udp: 'EAFNOSUPPORT', dot: 'EAFNOSUPPORT', doh: 'EAFNOSUPPORT' } as const;
  const onSix = Object.fromEntries(Object.entries(faults).map(([on, fault]) => [`${on} ::`, fault]));
  const { where, warnings } = await listenOn(onSix, all, false);
  assert.deepEqual(where, {
    dns: { host: '0.0.0.0', port: 53 },
    dot: { host: '0.0.0.0', port: 853 },
    doh: { host: '0.0.0.0', port: 443 },
  });
  assert.deepEqual(warnings, []);
});
