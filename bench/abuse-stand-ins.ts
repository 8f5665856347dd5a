import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startUdpFlood } from '../test/support/attacks/udp-flood.ts';
import { sourceAddress } from './abuse-network.ts';
import { callApi, type Stage } from './abuse-stage.ts';

/** An attack that runs until it is stopped. */
export type Attack = {
  stop(): Promise<void>;
  /** What the attacker got; printed below the table. */
  readonly report?: () => string;
  /** How often the attacker got what it must not have; the bar is 0. */
  readonly gained?: () => number;
};

/** Calls `work` at a pace until it is stopped; an attacker does not care for errors. */
function repeating(everyMs: number, work: (turn: number) => Promise<unknown>): () => Promise<void> {
  let isStopped = false;
  const running = (async () => {
    for (let turn = 0; !isStopped; turn++) {
      await work(turn).catch(() => undefined);
      await sleep(everyMs);
    }
  })();
  return async () => {
    isStopped = true;
    await running;
  };
}

/** 1,000 expressions of one profile, and long names that all of them have to look at. */
export async function startExpressions({ url, attacker, ports }: Stage): Promise<Attack> {
  const path = `/oapi/v1/dns_servers/${attacker.server}/settings`;
  const put = (rules: readonly string[]) =>
    callApi(url, attacker.authorization, 'PUT', path, { user_rules_settings: { enabled: true, rules } });
  const rules = Array.from({ length: 1000 }, (_, at) => `/example.*|(a|x)[abxyz.]{${40 + at}}(b|y).*example${at}/`);
  const accepted = await put(rules).then(
    () => 'accepted',
    (error: Error) => error.message.slice(0, 120),
  );
  const letters = (count: number): string =>
    Array.from({ length: count }, () => 'abxyz'[Math.floor(Math.random() * 5)]).join('');
  const nameOf = (): string => `${letters(60)}.${letters(60)}.${letters(60)}.${letters(40)}`;
  const flood = await startUdpFlood({
    port: ports.dns,
    device: attacker.device,
    source: sourceAddress(300, 6),
    perSecond: 20,
    prefixOf: nameOf,
  });
  return {
    report: () => `1,000 expressions: ${accepted}; ${flood.sent()} queries`,
    async stop() {
      await flood.stop();
      await put([]).catch(() => undefined);
    },
  };
}

/** Connections that send the first bytes of a ClientHello; each is opened again when it is closed. */
export async function startHalfOpenHandshakes(stage: Stage): Promise<Attack> {
  const sources = [1, 2, 3, 4].map((host) => sourceAddress(301, host));
  const sockets = new Set<Socket>();
  let isStopped = false;
  let opened = 0;
  const open = (port: number, slot: number): void => {
    if (isStopped) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress: sources[slot % sources.length]! });
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('connect', () => {
        opened++;
        socket.write(Buffer.from('16030102000100', 'hex'));
      });
    socket.resume().on('close', () => {
      sockets.delete(socket);
      setTimeout(open, 200, port, slot).unref();
    });
  };
  for (const port of [stage.ports.dot, stage.ports.doh]) for (let slot = 0; slot < 200; slot++) open(port, slot);
  return {
    report: () => `${opened} connections opened`,
    async stop() {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The attacker types the address that the honest client comes from. */
export async function startClaimedAddress({ url, attacker }: Stage): Promise<Attack> {
  const path = `/api/v1/devices/${attacker.device}/linked_address`;
  const claimed = await callApi(url, attacker.authorization, 'PUT', path, { ip: sourceAddress(0, 7) }).then(
    ({ state, ip }) => `accepted (${state ?? ip ?? 'linked'})`,
    (error: Error) => error.message.slice(0, 160),
  );
  return {
    report: () => `claim of the honest client's address: ${claimed}`,
    async stop() {
      await callApi(url, attacker.authorization, 'DELETE', path).catch(() => undefined);
    },
  };
}

/** Compilations and custom lists whose sources arrive at two bytes a second. */
export async function startDrippingSources({ url, httpPort, attacker }: Stage): Promise<Attack> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const drip = setInterval(() => response.write('a'), 500);
    response.on('close', () => clearInterval(drip)).on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lists: string[] = [];
  for (let at = 0; at < 20; at++) {
    const wish = { name: `drip ${at}`, url: `${origin}/list${at}` };
    lists.push((await callApi(url, attacker.authorization, 'POST', '/api/v1/custom_lists', wish)).id);
  }
  const chosen = (ids: readonly string[]) =>
    callApi(url, attacker.authorization, 'PUT', `/api/v1/dns_servers/${attacker.server}/custom_lists`, {
      custom_lists: ids.map((id) => ({ id })),
    });
  await chosen(lists);
  const requests = Array.from({ length: 10 }, (_, at) => {
    const sent = request({
      host: '127.0.0.1',
      port: httpPort,
      localAddress: sourceAddress(302, 2),
      agent: false,
      method: 'POST',
      path: '/compile',
      headers: { 'content-type': 'application/json' },
    });
    sent.on('error', () => {}).on('response', (response) => response.resume());
    sent.end(JSON.stringify({ configuration: { name: `d${at}`, sources: [{ source: `${origin}/source${at}` }] } }));
    return sent;
  });
  return {
    async stop() {
      for (const sent of requests) sent.destroy();
      await chosen([]).catch(() => undefined);
      for (const id of lists)
        await callApi(url, attacker.authorization, 'DELETE', `/api/v1/custom_lists/${id}`).catch(() => undefined);
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Devices are created, used and deleted, and the log is cleared, again and again. */
export async function startDeletions({ url, attacker, ports }: Stage): Promise<Attack> {
  const flood = await startUdpFlood({
    port: ports.dns,
    device: attacker.device,
    source: sourceAddress(303, 6),
    perSecond: 20,
  });
  let deletions = 0;
  const ask = (method: string, path: string, json?: object) => callApi(url, attacker.authorization, method, path, json);
  const stop = repeating(100, async () => {
    const wanted = { name: 'short-lived', device_type: 'LINUX', dns_server_id: attacker.server };
    const { id } = await ask('POST', '/oapi/v1/devices', wanted);
    await ask('DELETE', `/oapi/v1/devices/${id}`);
    await ask('DELETE', '/oapi/v1/query_log');
    deletions += 2;
  });
  return {
    report: () => `${deletions} deletions`,
    async stop() {
      await stop();
      await flood.stop();
    },
  };
}

/** A tenant takes the address of the operator, and asks for what only the operator may have. */
export async function startOperatorTakeover({ url, attacker, operatorEmail }: Stage): Promise<Attack> {
  let [tries, granted] = [0, 0];
  const stop = repeating(500, async () => {
    const change = { email: operatorEmail, current_password: attacker.password };
    await callApi(url, attacker.session, 'PUT', '/api/v1/email', change).catch(() => undefined);
    tries++;
    await callApi(url, attacker.session, 'GET', '/api/v1/system');
    granted++;
  });
  return { report: () => `${granted} of ${tries} tries granted the operator's rights`, gained: () => granted, stop };
}

/** Wrong passwords from ever new addresses. */
export async function startSignInFlood({ httpPort, honest }: Stage): Promise<Attack> {
  const statuses = new Map<number, number>();
  let turn = 0;
  const guess = (): Promise<void> =>
    new Promise((resolve) => {
      const number = turn++;
      const sent = request({
        host: '127.0.0.1',
        port: httpPort,
        localAddress: sourceAddress(310 + (number % 200), 1 + (((number / 200) % 250) | 0)),
        agent: false,
        method: 'POST',
        path: '/api/v1/session',
        headers: { 'content-type': 'application/json' },
      });
      sent.on('error', () => resolve());
      sent.on('response', (response) => {
        statuses.set(response.statusCode!, (statuses.get(response.statusCode!) ?? 0) + 1);
        response.resume().on('close', () => resolve());
      });
      sent.end(JSON.stringify({ email: honest.email, password: `guess ${number}` }));
    });
  const stops = Array.from({ length: 50 }, () => repeating(0, guess));
  return {
    report: () => `answers by status: ${JSON.stringify(Object.fromEntries(statuses))}`,
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };
}

/** Idle connections from one address. */
export async function startHttpConnections({ httpPort }: Stage): Promise<Attack> {
  const sockets = Array.from({ length: 800 }, () =>
    connect({ port: httpPort, host: '127.0.0.1', localAddress: sourceAddress(304, 3) }).on('error', () => {}),
  );
  const open = (): number => sockets.filter(({ readyState }) => readyState === 'open').length;
  return {
    report: () => `${open()} of ${sockets.length} idle connections open`,
    async stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The settings database disappears under the running server. */
export async function startLostSettings({ data }: Stage): Promise<Attack> {
  for (const end of ['', '-wal', '-shm']) rmSync(join(data, `settings.sqlite${end}`), { force: true });
  return { stop: async () => {} };
}
