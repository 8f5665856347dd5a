import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { until } from '../../test/support/kit/until.ts';
import { httpOrigin } from '../../test/support/net/origin.ts';
import { parseEvents } from '../../test/support/service-raw.ts';
import { sendStream } from './stream.ts';

type Reply = Parameters<typeof sendStream>[0];
type Source = Parameters<typeof sendStream>[1];
type Event = Source['events'] extends AsyncIterable<infer T> ? T : never;

const HEARTBEAT_MS = 15_000;

const listOf = (rules: readonly string[]): Source['compiled'] =>
  Promise.resolve({
    kind: 'list',
    how: 'fresh',
    previous: undefined,
    result: {
      name: 'A list',
      contentId: 'content',
      compiledAt: '2026-01-01T00:00:00.000Z',
      ruleCount: rules.length,
      key: undefined,
      missing: [],
      list: { plain: Buffer.from(rules.join('\n')) },
      extra: { metrics: {} as never, dropped: undefined, unsupported: undefined },
    },
  });

/** Sends the stream over HTTP; the heartbeat uses the mocked clock of the test. */
async function openStream(t: TestContext, source: Source) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const sent = Promise.withResolvers<unknown>();
  const origin = await httpOrigin(t, (_request, raw) => {
    const reply = { raw, hijack: () => undefined, getHeaders: () => ({}) };
    sendStream(
      reply as unknown as Reply,
      source,
      { benchmark: false, warnings: [] },
      new AbortController().signal,
    ).then(sent.resolve, sent.reject);
  });
  const [response] = (await once(get(origin.url), 'response')) as [IncomingMessage];
  response.setEncoding('utf8');
  let text = '';
  const read = (): void => void response.on('data', (piece: string) => (text += piece));
  return { response, read, text: () => text, sent: sent.promise };
}

const heartbeats = (text: string): number => text.split('\n\n').filter((frame) => frame === ': still here').length;

test('a stream without events sends a comment every 15 seconds, without an id', async (t) => {
  const due = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* events(): AsyncGenerator<Event> {
    for (const { promise } of due) {
      await promise;
      yield { name: 'log', data: { message: 'compiling' } } as unknown as Event;
    }
  }
  const { read, text, sent } = await openStream(t, { events: events(), compiled: listOf(['||a^']) });
  read();
  t.mock.timers.tick(HEARTBEAT_MS - 1);
  due[0]!.resolve();
  // Everything written before an event arrives with it.
  await until('the first event', () => text().includes('event: log'));
  assert.equal(heartbeats(text()), 0);
  t.mock.timers.tick(1);
  due[1]!.resolve();
  await sent;
  await until('the last event', () => text().includes('event: done'));
  assert.equal(heartbeats(text()), 1);
  assert.deepEqual(
    parseEvents(text()).map(({ id, event }) => `${id} ${event}`),
    ['1 log', '2 log', '3 result', '4 done'],
  );
});

test('no heartbeat is written within an event, even if the client reads slowly', async (t) => {
  const rules = Array.from({ length: 400_000 }, (_, at) => `||host-${at}.example^`);
  async function* events(): AsyncGenerator<Event> {}
  const source: Source = { events: events(), compiled: listOf(rules) };
  const { response, read, text, sent } = await openStream(t, source);
  // The client reads nothing, so the server waits within the event until the buffers of both sockets drain.
  await until('a full buffer', () => response.readableLength >= response.readableHighWaterMark);
  for (let beat = 0; beat < 3; beat += 1) {
    t.mock.timers.tick(HEARTBEAT_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const isOver = once(response, 'end');
  read();
  await Promise.all([isOver, sent]);
  const received = parseEvents(text());
  assert.equal(received.at(-1)?.event, 'done');
  assert.ok((received.at(-2)!.data['rules'] as string[]).join() === rules.join());
});
