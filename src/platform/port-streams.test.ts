import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { createPortStreams } from './port-streams.ts';

function pair(t: TestContext, accept: (stream: Duplex, peer: string) => void) {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const server = createPortStreams<string>(port2, accept);
  return { ...createPortStreams<string>(port1), server, port1 };
}

test('the other thread gets the bytes and the peer, and answers', async (t) => {
  const { connect, open, server } = pair(t, (stream, peer) => {
    void text(stream).then((got) => stream.end(`${peer} sent ${got}`));
  });
  const stream = connect('192.0.2.1');
  stream.end('hello');
  assert.equal(await text(stream), '192.0.2.1 sent hello');
  if (!stream.closed) await once(stream, 'close');
  assert.deepEqual([open(), server.open()], [0, 0]);
});

test('several megabytes arrive unchanged, and a reader that stops holds at most the window', async (t) => {
  const sent = Buffer.alloc(3_000_000, 'abcdefg');
  const accepted = Promise.withResolvers<Duplex>();
  const { connect } = pair(t, (stream) => accepted.resolve(stream));
  const stream = connect('');
  let isWritten = false;
  stream.end(sent, () => {
    isWritten = true;
  });
  const other = await accepted.promise;
  await once(other, 'readable');
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  assert.equal(isWritten, false);
  assert.ok(other.readableLength <= 65_536, `${other.readableLength} bytes are held`);
  assert.ok(sent.equals(await buffer(other)));
});

test('a side that has ended and closed delivers all written bytes', async (t) => {
  const { connect } = pair(t, (stream) => {
    stream.resume();
    stream.end('x'.repeat(60_000));
  });
  const stream = connect('');
  stream.end();
  await once(stream, 'readable');
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  assert.equal((await text(stream)).length, 60_000);
});

test('a stream that one side destroys is closed on the other, and the others stay open', async (t) => {
  const accepted: Duplex[] = [];
  const { connect } = pair(t, (stream) => {
    accepted.push(stream);
    stream.on('error', () => undefined).pipe(stream);
  });
  const [first, second] = [connect(''), connect('')];
  first.write('x');
  second.write('y');
  assert.equal(String((await once(second, 'data'))[0]), 'y');
  first.destroy();
  await once(accepted[0]!, 'close');
  second.write('z');
  assert.equal(String((await once(second, 'data'))[0]), 'z');
});

test('closing the port closes all streams', async (t) => {
  const { connect, port1 } = pair(t, () => undefined);
  const stream = connect('');
  port1.close();
  await once(stream, 'close');
  assert.ok(stream.destroyed);
});
