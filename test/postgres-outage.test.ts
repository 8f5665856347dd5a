import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { homeOf, makeHome, startDns, until } from './support/dns.ts';
import { addressIn, overUdp } from './support/dns-client.ts';
import { HERE, startWorld } from './support/dns-upstream.ts';
import { slow } from './support/kit/slow.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';
import { startTcpProxy } from './support/store/tcp-proxy.ts';

const BLOCKED = '0.0.0.0';
/** Heartbeat or statement timeout, reconnection and one interval. */
const NOTICED_WITHIN_MS = 20_000;
/** Of a connection and a statement. */
const REFUSED_WITHIN_MS = 17_000;

test(
  'a node whose network drops packets silently follows changes, shows its lag, refuses in time and stops in time',
  slow,
  async (t) => {
    const database = await newPostgresDatabase();
    if (database === undefined) return t.skip('PostgreSQL is not installed');
    const world = await startWorld(t);
    const home = await makeHome(await startDns(t, world.address, ['--database', database]));
    const proxy = await startTcpProxy(t, database);
    const other = await startDns(t, world.address, ['--database', proxy.url]);
    const { id } = await home.device('elsewhere');
    const ask = await overUdp(t, other, id, 2);
    const answer = async (): Promise<string | undefined> => addressIn(await ask('changing.example.com'));
    const metric = async (name: string): Promise<number> => {
      const text = await (await fetch(`http://127.0.0.1:${other.adminPort}/metrics`)).text();
      return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    };
    await until('the device', async () => ((await answer()) === HERE ? true : undefined));

    proxy.dropSilently();
    await home.set({ user_rules_settings: { enabled: true, rules: ['||changing.example.com^'] } });
    const changedAt = performance.now();
    await until('the change', async () => ((await answer()) === BLOCKED ? true : undefined));
    const noticedMs = performance.now() - changedAt;
    assert.ok(noticedMs < NOTICED_WITHIN_MS, `${noticedMs} ms`);
    await until('the log', async () => ((await metric('weir_dns_records_lag_seconds')) === 0 ? true : undefined));

    proxy.freeze();
    const frozenAt = performance.now();
    const { ask: call } = await homeOf({ ...other, url: home.service.url }, home.authorization);
    assert.ok(await call('GET', '/oapi/v1/devices'), 'the other node is not affected');
    const response = await fetch(`${other.url}/oapi/v1/devices`, { headers: { authorization: home.authorization } });
    assert.equal(response.status, 503);
    const refusedMs = performance.now() - frozenAt;
    assert.ok(refusedMs < REFUSED_WITHIN_MS, `${refusedMs} ms`);
    assert.equal(await answer(), BLOCKED, 'DNS goes on');
    await until('the lag of the log', async () =>
      (await metric('weir_dns_records_lag_seconds')) > 0 ? true : undefined,
    );
    assert.ok((await metric('weir_settings_lag_seconds')) > 0);
    assert.ok((await metric('weir_settings_revision')) > 0);

    const waiting = request(`${other.url}/oapi/v1/devices`, {
      headers: { authorization: home.authorization, expect: '100-continue' },
    }).end();
    const answered = once(waiting, 'response') as Promise<[IncomingMessage]>;
    // A stop closes connections without a request.
    await once(waiting, 'continue');
    const stoppingAt = performance.now();
    const [code, [{ statusCode }]] = await Promise.all([other.stop(), answered]);
    assert.equal(code, 0, 'in the promised time');
    const stoppedMs = performance.now() - stoppingAt;
    assert.equal(statusCode, 503, 'a request that waits for the database');
    assert.equal(other.log.find(({ msg }) => msg === 'stopped')?.['drained'], true);
    t.diagnostic(
      `connections dropped silently: the change is in effect after ${Math.round(noticedMs)} ms; database frozen: 503 after ${Math.round(refusedMs)} ms, stopped after ${Math.round(stoppedMs)} ms`,
    );
  },
);
