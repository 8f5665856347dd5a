import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryFor } from '../src/dns/message.ts';
import { classes, types } from '../src/dns/numbers.ts';
import { readMessage } from '../src/dns/read-message.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import type { Over } from './support/dig.ts';
import { deviceOption } from './support/dns/packets.ts';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { freePort } from './support/kit/ports.ts';
import { name } from './support/resolver/upstream/messages.ts';
import { type AskBytes, askersOf } from './support/resolver.ts';
import { newPostgresDatabase } from './support/store/postgres.ts';

// `WEIR_HAND_OVER_QUERIES=100000` for the figure in docs/scaling.md.
const QUERIES = Number(process.env['WEIR_HAND_OVER_QUERIES'] ?? 400);
const AT_ONCE = 8;
const TRIES = 5;
const PATIENCE_MS = 2000;

const query = (device: string): Uint8Array => {
  const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [deviceOption(device)] };
  return writeMessage(queryFor({ name: name('kept.example.com'), type: types.A, class: classes.IN }, 7, edns));
};

/** Sends queries one after the other, each again if it is not answered, until it is stopped and has sent enough. */
function startLoad(ask: AskBytes, message: Uint8Array, share: number) {
  let isOver = false;
  let [sent, lost, repeated] = [0, 0, 0];
  const askOnce = async (): Promise<boolean> => {
    const heard = await ask(message, PATIENCE_MS);
    const read = heard.kind === 'answer' ? readMessage(Uint8Array.from(heard.bytes)) : undefined;
    return read?.ok === true && read.value.rcode === 0 && read.value.answer.length === 1;
  };
  const askOne = async (): Promise<void> => {
    sent += 1;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if (await askOnce()) return;
      repeated += 1;
    }
    lost += 1;
  };
  const worker = async (): Promise<void> => {
    while (!isOver || sent < share) await askOne();
  };
  const done = Promise.all(Array.from({ length: AT_ONCE }, worker));
  return async () => {
    isOver = true;
    await done;
    return { sent, lost, repeated };
  };
}

test('a second process takes over the ports of the first one under load without a lost query', async (t) => {
  const database = await newPostgresDatabase();
  if (database === undefined) return t.skip('PostgreSQL is not installed');
  const world = await startWorld(t);
  const ports = await Promise.all(
    ['dns', 'dot', 'doh'].map(async (on) => [`--${on}`, `127.0.0.1:${await freePort()}`]),
  );
  const flags = [...ports.flat(), '--database', database, '--share-ports', 'on', '--drain', '1s'];
  const unlimited = ['--connections-per-client', '1000', '--wrong-ids-per-minute', '1000000'];
  const first = await startDns(t, world.address, [...flags, ...unlimited]);
  const home = await makeHome(first);
  const { id } = await home.device('always answered');
  assert.equal((await home.dug(id, 'udp', 'kept.example.com')).status, 'NOERROR');
  const asks = askersOf(first, id);
  const overs: readonly Over[] = ['udp', 'tcp', 'dot', 'doh'];
  const message = query(id);
  const loads = overs.map((over) => startLoad(asks[over], message, QUERIES / overs.length));
  const second = await startDns(t, world.address, [...flags, ...unlimited]);
  assert.deepEqual(second.ports, first.ports);
  assert.equal(await first.stop(), 0);
  const results = await Promise.all(loads.map((stop) => stop()));
  for (const [at, { sent, lost, repeated }] of results.entries()) {
    t.diagnostic(`P9 hand-over over ${overs[at]}: ${sent} queries, ${repeated} repeated, ${lost} lost`);
    assert.equal(lost, 0);
  }
  await assert.rejects(
    startDns(t, world.address, [...ports.flat(), '--database', database]),
    /EADDRINUSE|in use/,
    'without the setting a port is not shared',
  );
});
