import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { slow } from '../../../test/support/kit/slow.ts';
import { until } from '../../../test/support/kit/until.ts';
import { answersForTests, describe, query, readAnswer } from '../../../test/support/resolver/transport/answers.ts';
import {
  type Client,
  framed,
  identityForTests,
  tcpClient,
  tlsClient,
} from '../../../test/support/resolver/transport/stream.ts';
import { defaultConnectionLimits } from './connections.ts';
import type { Answers } from './listener.ts';
import { listenDot, listenTcp } from './stream.ts';
import type { TcpListener, TcpListenerOptions } from './tcp-listener.ts';

type Start = (t: TestContext, options?: Partial<TcpListenerOptions>, answers?: Answers) => Promise<TcpListener>;
const quiet = { host: '127.0.0.1', port: 0, report: () => undefined };
const tls = await identityForTests();

const startTcp: Start = async (t, options = {}, answers = answersForTests) => {
  const listening = await listenTcp({ ...quiet, ...options }, answers);
  t.after(() => listening.stop());
  return listening;
};

const startDot: Start = async (t, options = {}, answers = answersForTests) => {
  const listening = await listenDot({ ...quiet, tls, ...options }, answers);
  t.after(() => listening.stop());
  return listening;
};

type Kind = {
  readonly name: 'tcp' | 'dot';
  readonly start: Start;
  readonly connect: (t: TestContext, where: { port: number; localAddress?: string }) => Promise<Client>;
};
const kinds: readonly Kind[] = [
  { name: 'tcp', start: startTcp, connect: tcpClient },
  { name: 'dot', start: startDot, connect: tlsClient },
];

/** Timeouts for tests: this one short, the others long. */
const hurry = (patience: Partial<(typeof defaultConnectionLimits)['timeoutMs']>) => ({
  limits: { timeoutMs: { ...defaultConnectionLimits.timeoutMs, ...patience } },
});

for (const { name, start, connect } of kinds) {
  test(`${name}: the handler gets the client's address and port and the local address`, async (t) => {
    const { address } = await start(t);
    const client = await connect(t, address);
    client.ask(query(7, 'atOnce'));
    assert.deepEqual(readAnswer((await client.next())!), {
      id: 7,
      length: 17,
      transport: name,
      client: '127.0.0.1',
      clientPort: client.socket.localPort,
      local: '127.0.0.1',
    });
  });

  test(`${name}: two queries are answered for any split of the bytes, and do not wait for each other`, async (t) => {
    const { address } = await start(t);
    const bytes = framed(query(1, 'atOnce'), query(2, 'later'));
    const client = await connect(t, address);
    for (let cut = 0; cut <= bytes.length; cut++) {
      client.socket.write(bytes.subarray(0, cut));
      if (cut >= 19) assert.equal((await client.next())?.readUInt16BE(), 1, `cut at ${cut}`);
      else await sleep(1);
      client.socket.write(bytes.subarray(cut));
      if (cut < 19) assert.equal((await client.next())?.readUInt16BE(), 1, `cut at ${cut}`);
      assert.equal((await client.next())?.readUInt16BE(), 2, `cut at ${cut}`);
    }
    for (const byte of bytes) {
      client.socket.write(Buffer.from([byte]));
      await sleep(1);
    }
    assert.deepEqual([(await client.next())?.readUInt16BE(), (await client.next())?.readUInt16BE()], [1, 2]);
  });

  test(`${name}: a length under 12 ends the connection, after the answers to what came before`, async (t) => {
    const { address } = await start(t);
    for (const length of [0, 1, 11]) {
      const client = await connect(t, address);
      client.socket.write(Buffer.concat([framed(query(1, 'atOnce')), Buffer.from([0, length]), Buffer.alloc(length)]));
      assert.equal((await client.next())?.readUInt16BE(), 1);
      await client.closed;
    }
  });

  test(`${name}: of 1,000 queries on one connection at most 100 are in flight, and all are answered`, async (t) => {
    let underWay = 0;
    let most = 0;
    const { address } = await start(
      t,
      {},
      {
        answerSync: () => -1,
        answerAsync(asked, reply) {
          most = Math.max(most, ++underWay);
          setTimeout(() => {
            underWay--;
            reply(describe(asked));
          }, Math.random() * 10);
        },
      },
    );
    const client = await connect(t, address);
    client.ask(...Array.from({ length: 1000 }, (_, id) => query(id, 'later')));
    const ids: number[] = [];
    for (let i = 0; i < 1000; i++) ids.push((await client.next())!.readUInt16BE());
    assert.equal(most, 100);
    assert.equal(new Set(ids).size, 1000);
    assert.notDeepEqual(
      ids,
      [...ids].sort((a, b) => a - b),
    );
  });

  test(`${name}: an exception of the handler is logged, and the next query on the connection is answered`, async (t) => {
    const told: string[] = [];
    const { address } = await start(t, { report: (problem) => void told.push(problem) });
    const client = await connect(t, address);
    client.ask(query(1, 'throw'), query(2, 'drop'), query(3, 'atOnce'));
    assert.equal((await client.next())?.readUInt16BE(), 3);
    assert.deepEqual(told, ['answering a query failed']);
  });

  test(`${name}: a client that sends nothing at first, drips or stops sending is disconnected, each after its own timeout`, async (t) => {
    const waits = [
      [hurry({ first: 100 }), async () => undefined],
      [
        hurry({ message: 300 }),
        async ({ socket }: Client) => {
          socket.write(Buffer.from([0, 200]));
          for (let i = 0; i < 100 && !socket.destroyed; i++) {
            socket.write(Buffer.from([0]));
            await sleep(20);
          }
          assert.ok(socket.destroyed, 'it could have dripped for ever');
        },
      ],
      [
        hurry({ idle: 100 }),
        async ({ ask, next }: Client) => {
          ask(query(1, 'atOnce'));
          assert.ok(await next());
        },
      ],
      [hurry({ busy: 100 }), async ({ ask }: Client) => ask(query(1, 'never'))],
    ] as const;
    await Promise.all(
      waits.map(async ([options, act]) => {
        const server = await start(t, options);
        const client = await connect(t, server.address);
        await act(client);
        await client.closed;
        assert.deepEqual([server.counts().timedOut, server.counts().open], [1, 0]);
      }),
    );
  });

  test(`${name}: a steady client may end every piece in the middle of a message`, slow, async (t) => {
    const { address } = await start(t, hurry({ message: 600 }));
    const client = await connect(t, address);
    const one = framed(query(1, 'atOnce'));
    client.socket.write(one.subarray(0, 5));
    for (let i = 0; i < 20; i++) {
      await sleep(60);
      client.socket.write(Buffer.concat([one.subarray(5), one.subarray(0, 5)]));
      assert.ok(await client.next());
    }
  });

  test(`${name}: a half-closed connection still gets its answers`, async (t) => {
    const { address } = await start(t);
    const client = await connect(t, address);
    client.socket.end(framed(query(1, 'later'), query(2, 'atOnce')));
    const ids = [(await client.next())?.readUInt16BE(), (await client.next())?.readUInt16BE()];
    assert.deepEqual(ids, [2, 1]);
    await client.closed;
  });

  test(`${name}: a client that does not read its answers is not read from any more, and disconnected`, async (t) => {
    let answered = 0;
    const answers: Answers = {
      answerSync(_asked, into, at) {
        answered++;
        into.fill(1, at, at + 60_000);
        return 60_000;
      },
      answerAsync: () => undefined,
    };
    const server = await start(t, hurry({ busy: 500 }), answers);
    const client = await connect(t, server.address);
    client.socket.pause();
    const flood = framed(...Array.from({ length: 500 }, (_, id) => query(id, 'atOnce')));
    for (let i = 0; i < 10; i++) client.socket.write(flood);
    await until('him to be shown out', () => server.counts().timedOut > 0);
    assert.equal(server.counts().timedOut, 1);
    // Bounded by the system's buffers and 256 KB of ours.
    assert.ok(answered < 500, `${answered}`);
  });

  test(`${name}: clients that disconnect at random leave no state behind`, slow, async (t) => {
    const server = await start(t);
    const before = readdirSync('/proc/self/fd').length;
    const connection = async (round: number): Promise<void> => {
      const client = await connect(t, server.address);
      client.ask(query(1, 'later'), query(2, 'atOnce'), query(3, 'later'));
      if (round % 3 === 0) await sleep(Math.random() * 6);
      if (round % 2 === 0 && name === 'tcp') client.socket.resetAndDestroy();
      else client.socket.destroy();
    };
    const rounds = name === 'tcp' ? 300 : 100;
    for (let round = 0; round < rounds; round += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => connection(round + index)));
    await until('all to be gone', () => server.counts().open === 0);
    // A connection that was reset before it was accepted has no address and is not counted.
    assert.ok(server.counts().accepted >= rounds / 3 && server.counts().accepted <= rounds);
    await until('all files to be closed', () => readdirSync('/proc/self/fd').length <= before + 2);
  });

  test(`${name}: stopping waits for answers that are under way, not for those who only stay`, async (t) => {
    let answer: (() => void) | undefined;
    const answers: Answers = {
      ...answersForTests,
      answerAsync(asked, reply) {
        answer = () => answersForTests.answerAsync(asked, reply);
      },
    };
    const server = await start(t, {}, answers);
    const [idle, busy] = [await connect(t, server.address), await connect(t, server.address)];
    idle.ask(query(1, 'atOnce'));
    await idle.next();
    busy.ask(query(4, 'later'));
    await until('the question', () => answer !== undefined);
    const stopped = server.stop();
    answer!();
    await stopped;
    assert.equal((await busy.next())?.readUInt16BE(), 4);
    await Promise.all([idle.closed, busy.closed]);
  });
}
