import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryFor } from '../src/dns/message.ts';
import { classes, types } from '../src/dns/numbers.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import { framed } from '../src/resolver/upstream/length-prefixed.ts';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { missing, run } from './support/programs.ts';
import { name } from './support/resolver/upstream/messages.ts';
import { startUpstream } from './support/resolver/upstream/upstream.ts';
import { askersOf, startForEverybody } from './support/resolver.ts';

const FLOOD_SECONDS = 5;
const QUERIES_A_SECOND = 50;
const ENOUGH = 0.95;
const MEGABYTE = 1024 * 1024;

const query = (domain: string, id = 1): Uint8Array =>
  writeMessage(queryFor({ name: name(domain), type: types.A, class: classes.IN }, id));
const residentMegabytes = (pid: number): number =>
  (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / MEGABYTE;

/** Queries new or cached names fifty times per second from a separate address; returns the number of answers. */
async function askCalmly(port: number, seconds: number): Promise<{ asked: number; answered: number }> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.3');
  await once(socket, 'listening');
  const answered = new Set<number>();
  socket.on('message', (bytes) => answered.add(bytes.readUInt16BE(0)));
  const asked = seconds * QUERIES_A_SECOND;
  const begun = performance.now();
  for (let id = 0; id < asked; id++) {
    const domain = id % 2 === 0 ? 'known.example.com' : `calm${id}.example.com`;
    socket.send(query(domain, id), port, '127.0.0.1');
    await sleep(Math.max(0, begun + (id * 1000) / QUERIES_A_SECOND - performance.now()));
  }
  // Waits for late answers: lost packets do not arrive any more, delayed ones do.
  for (let i = 0; i < 200 && answered.size < ENOUGH * asked; i++) await sleep(100);
  socket.close();
  return { asked, answered: answered.size };
}

test('under load', async (t) => {
  const upstream = await startUpstream(t);
  const { service } = await startForEverybody(t, upstream.text);
  const { ports, pid } = service;
  const { udp, tcp } = askersOf(service);
  assert.equal((await udp(query('known.example.com'), 10_000)).kind, 'answer');

  await t.test(
    'a flood of names from one address takes little from another',
    { skip: missing('dnsperf') },
    async (t) => {
      // Half of the names are cached, half are new: new names need a lookup.
      const lines = Array.from({ length: 100_000 }, (_, i) => `${i % 2 === 0 ? 'known' : `flood${i}`}.example.com A`);
      const folder = await temporaryFolder(t, { names: lines.join('\n') });
      const before = residentMegabytes(pid);
      const words = ['-s', '127.0.0.1', '-p', `${ports.dns}`, '-a', '127.0.0.2', '-d', join(folder, 'names')];
      const flood = run('dnsperf', [...words, '-l', `${FLOOD_SECONDS}`, '-c', '8', '-q', '2000', '-t', '1']);
      const calm = await askCalmly(ports.dns, FLOOD_SECONDS);
      const { stdout } = await flood;
      const after = residentMegabytes(pid);
      const told = /Queries sent: +(\d+)[\s\S]*Queries completed: +(\d+)/.exec(stdout);
      t.diagnostic(
        `${JSON.stringify(calm)}; flood: ${told?.[1]} sent, ${told?.[2]} answered; ${Math.round(before)} MB, then ${Math.round(after)} MB`,
      );
      t.diagnostic(`P10 flood from one address: ${calm.answered} of ${calm.asked} queries of another address answered`);
      t.diagnostic(`P11 memory after the flood: ${Math.round(after)} MB`);
      assert.ok(calm.answered >= ENOUGH * calm.asked, JSON.stringify(calm));
      // The documented limit with a full cache and queue.
      assert.ok(after < 512, `${before} MB became ${after} MB`);
      assert.equal((await udp(query('afterwards.example.com'), 20_000)).kind, 'answer');
    },
  );

  await t.test('1,200 idle connections keep neither datagrams nor new connections out', async (t) => {
    const before = residentMegabytes(pid);
    const sockets: Socket[] = [];
    t.after(() => sockets.forEach((socket) => void socket.destroy()));
    for (let i = 0; i < 1200; i += 40) {
      const some = Array.from({ length: 40 }, () =>
        connect({ port: ports.dns, host: '127.0.0.1', localAddress: `127.0.1.${1 + i / 40}` }),
      );
      sockets.push(...some);
      await Promise.all(
        some.map(async (socket) => {
          socket.on('error', () => {});
          socket.write(framed(query('known.example.com')));
          await Promise.race([once(socket, 'data'), once(socket, 'close'), sleep(10_000)]);
        }),
      );
    }
    const openNow = (): number =>
      sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length;
    // The close event arrives slightly later.
    for (let i = 0; i < 200 && openNow() > 1000; i++) await sleep(50);
    const open = openNow();
    t.diagnostic(`${open} stay open; ${Math.round(residentMegabytes(pid) - before)} MB more`);
    assert.ok(open <= 1000, `${open}`);
    for (let i = 0; i < 20; i++) {
      assert.equal((await udp(query(`idle${i}.example.com`), 20_000)).kind, 'answer');
      assert.equal((await tcp(query(`idle${i}.example.com`), 20_000)).kind, 'answer');
    }
    assert.ok(residentMegabytes(pid) < before + 100);
  });
});
