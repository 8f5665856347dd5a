import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { answersForTests } from '../../resolver/transport/answers-for-tests.ts';
import { ensureSelfSigned } from '../../resolver/transport/self-signed.ts';
import { temporaryFolder } from '../temporary-folder-for-tests.ts';
import { openListeners } from './listeners.ts';

// Not this machine under its own name: that is exempt from limits.
const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const skip = outside === undefined && 'this machine has no other address than itself';

test('who begins too many handshakes over TLS and HTTPS is hung up on', { skip }, async (t) => {
  const folder = await temporaryFolder(t);
  const certificate = await ensureSelfSigned({ folder, names: ['localhost'], addresses: [], now: Date.now() });
  const listeners = openListeners({ certificate, proxies: [] }, () => undefined);
  t.after(() => listeners.stop());
  const places = [
    await listeners.listen('dot', { host: outside!, port: 0 }, answersForTests),
    await listeners.listen('doh', { host: outside!, port: 0 }, answersForTests),
  ];
  /** How many of so many who connect at once are hung up on; well before they would be for their slowness. */
  const hungUpOf = async (count: number, enough: number): Promise<number> => {
    const sockets = Array.from({ length: count }, (_, at) => connect(places[at % 2]!.port, outside!));
    let closed = 0;
    for (const socket of sockets) socket.resume().once('end', () => closed++);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (let i = 0; i < 60 && closed < enough; i++) await sleep(30);
    for (const socket of sockets) socket.destroy();
    return closed;
  };
  assert.equal(await hungUpOf(40, 1), 0);
  const all = await hungUpOf(500, 60);
  assert.ok(all >= 60, `${all} of 500 were hung up on`);
});
