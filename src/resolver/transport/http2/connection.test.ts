import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bodies,
  echo,
  get,
  goAway,
  head,
  literal,
  method,
  nodeClient,
  number,
  padded,
  path,
  post,
  reply,
  resets,
  scheme,
  setting,
  silent,
  talk,
  whole,
} from '../../../../test/support/resolver/http2/connection.ts';
import { seeded } from '../../../../test/support/resolver/http2/seeded.ts';
import { askOn } from '../../../../test/support/resolver/transport/doh.ts';
import {
  END_HEADERS,
  END_STREAM,
  frame,
  requestHeaders,
} from '../../../../test/support/resolver/transport/raw-http2.ts';
import { errorCodes, flags, preface } from './http2-frames.ts';

test('a connection begins with our settings, and the client’s are acknowledged', () => {
  const { connection, sent } = talk(echo, { greeted: false });
  assert.deepEqual(
    sent().map(({ type, id }) => [type, id]),
    [
      ['settings', 0],
      ['windowUpdate', 0],
    ],
  );
  connection.read(Buffer.concat([preface, frame('settings', 0, 0)]));
  assert.deepEqual(
    sent().map(({ type, flag }) => [type, flag]),
    [['settings', flags.ack]],
  );
});

test('all requests are answered, whether they arrive in one chunk or in many', () => {
  const bytes = Buffer.concat([
    preface,
    frame('settings', 0, 0),
    get(1, '/one'),
    post(3),
    frame('ping', 0, 0, Buffer.from('12345678')),
    frame('data', 0, 3, Buffer.from('two')),
    frame('data', flags.padded, 3, padded(7, 'three')),
    frame('data', END_STREAM, 3),
    get(5, `/${'x'.repeat(100)}`),
  ]);
  const expected = { 1: '/one', 3: 'twothree', 5: `/${'x'.repeat(100)}` };
  const atOnce = talk(echo, { greeted: false });
  atOnce.connection.read(bytes);
  assert.deepEqual(bodies(atOnce.sent()), expected);
  for (let size = 1; size < 60; size++) {
    const inPieces = talk(echo, { greeted: false });
    for (let at = 0; at < bytes.length; at += size) inPieces.connection.read(bytes.subarray(at, at + size));
    assert.deepEqual(bodies(inPieces.sent()), expected, `${size}`);
  }
});

test('a request without a body may have a length of 0, and one with trailers is whole with them', () => {
  const { connection, sent } = talk(echo);
  connection.read(head(method, scheme, path, literal('content-length', '0'), literal('te', 'trailers')));
  connection.read(Buffer.concat([post(3), frame('data', 0, 3, Buffer.from('abc'))]));
  connection.read(frame('headers', whole, 3, literal('x-sum', '1')));
  assert.deepEqual(bodies(sent()), { 1: '/', 3: 'abc' });
});

test('data for a closed stream is discarded; data after the end of a stream resets it', () => {
  const { connection, sent, isEnded } = talk((request, respond) =>
    request.path === '/' ? undefined : echo(request, respond),
  );
  connection.read(Buffer.concat([get(1, '/now'), frame('data', 0, 1, Buffer.from('late'))]));
  assert.deepEqual(resets(sent()), []);
  connection.read(Buffer.concat([get(3), frame('data', 0, 3, Buffer.from('late'))]));
  assert.deepEqual(resets(sent()), [[3, errorCodes.streamClosed]]);
  assert.ok(!isEnded());
});

test('HEAD gets no body, and a GET with one gets its answer before the body is there', () => {
  const { connection, sent } = talk(echo);
  connection.read(head(literal(':method', 'HEAD'), scheme, path));
  assert.deepEqual(
    sent().map(({ type, flag }) => [type, flag]),
    [['headers', whole]],
  );
  connection.read(frame('headers', END_HEADERS, 3, requestHeaders('/')));
  const after = sent();
  assert.deepEqual([bodies(after), resets(after)], [{ 3: '/' }, [[3, errorCodes.none]]]);
});

test('an answer waits for the windows of its stream and of the connection, and loses nothing', () => {
  const body = Array.from({ length: 70_000 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('');
  const { connection, sent } = talk((_head, respond) => {
    respond(reply(body));
    return undefined;
  });
  connection.read(Buffer.concat([setting(4, 10), get(1)]));
  let seen = bodies(sent())[1]!;
  assert.equal(seen.length, 10);
  // Less than was sent already: the window becomes negative.
  connection.read(setting(4, 4));
  connection.read(frame('windowUpdate', 0, 1, number(6)));
  assert.deepEqual(bodies(sent()), {});
  connection.read(frame('windowUpdate', 0, 1, number(100_000)));
  seen += bodies(sent())[1]!;
  assert.equal(seen.length, 65_535, 'as much as the connection takes');
  connection.read(frame('windowUpdate', 0, 0, number(1)));
  connection.read(frame('windowUpdate', 0, 0, number(100_000)));
  const last = sent();
  seen += bodies(last)[1]!;
  assert.equal(seen, body);
  assert.equal(last.at(-1)!.flag, END_STREAM);
});

test('node:http2 with the narrowest windows gets large answers whole', async (t) => {
  const session = await nodeClient(t, echo, { settings: { initialWindowSize: 1000 } });
  const body = Buffer.alloc(60_000, 'abc');
  const told = await Promise.all([1, 2, 3].map(() => askOn(session, { method: 'POST', body })));
  for (const each of told) assert.ok(each.body.equals(body));
});

test('bodies of all requests together are bounded, and the room for them comes back', () => {
  const { connection, sent } = talk((request, respond) =>
    request.method === 'POST' ? () => undefined : echo(request, respond),
  );
  const chunk = Buffer.alloc(16_384);
  const send = (id: number): void => {
    connection.read(post(id));
    for (let i = 0; i < 3; i++) connection.read(frame('data', 0, id, chunk));
  };
  for (let id = 1; id <= 9; id += 2) send(id);
  assert.equal(goAway(sent()), undefined);
  for (let id = 1; id <= 5; id += 2) connection.read(frame('reset', 0, id, number(8)));
  const given = sent().filter(({ type }) => type === 'windowUpdate');
  assert.deepEqual(
    given.map(({ id, payload }) => [id, payload.readUInt32BE(0)]),
    [[0, 9 * 16_384]],
  );
  for (let id = 11; id <= 21; id += 2) send(id);
  assert.equal(goAway(sent()), errorCodes.flowControl);
});

test('a body of one byte more than there may be is answered, one of two more is a fault', () => {
  const { connection, sent } = talk(echo);
  const body = (id: number, length: number): Buffer =>
    Buffer.concat(
      Array.from({ length: Math.ceil(length / 16_384) }, (_, i) =>
        frame('data', 0, id, Buffer.alloc(Math.min(16_384, length - i * 16_384))),
      ),
    );
  connection.read(Buffer.concat([post(1), body(1, 65_536)]));
  const first = sent();
  assert.deepEqual([bodies(first), resets(first)], [{ 1: 'too long' }, [[1, errorCodes.none]]]);
  connection.read(Buffer.concat([post(3), body(3, 65_535), frame('data', 0, 3, Buffer.alloc(2))]));
  assert.deepEqual(resets(sent()), [[3, errorCodes.flowControl]]);
});

test('a body that does not come within five seconds is given up', () => {
  const { connection, sent, wait, doing } = talk(echo);
  connection.read(Buffer.concat([post(1), frame('data', 0, 1, Buffer.from('x'))]));
  wait(4999);
  connection.sweep();
  assert.deepEqual([sent(), doing()], [[], 'busy']);
  wait(2);
  connection.sweep();
  assert.deepEqual([resets(sent()), doing()], [[[1, errorCodes.cancel]], 'idle']);
});

test('the state of a connection is known: incomplete headers, open requests, idle', () => {
  const { connection, doing } = talk(silent);
  assert.equal(doing(), 'first');
  connection.read(frame('headers', END_STREAM, 1, requestHeaders('/')));
  assert.equal(doing(), 'message');
  connection.read(frame('continuation', END_HEADERS, 1));
  assert.equal(doing(), 'busy');
  connection.read(frame('reset', 0, 1, number(8)));
  assert.equal(doing(), 'idle');
});

test('answers to a connection that is lost, or to a stream that was reset, go nowhere', () => {
  const waiting: (() => void)[] = [];
  const { connection, sent } = talk((_head, respond) => {
    waiting.push(() => respond(reply('x')));
    return undefined;
  });
  connection.read(Buffer.concat([get(1), get(3), get(5)]));
  connection.read(frame('reset', 0, 1, number(8)));
  waiting[0]!();
  waiting[1]!();
  waiting[1]!();
  assert.deepEqual(bodies(sent()), { 3: 'x' });
  connection.lost();
  waiting[2]!();
  assert.deepEqual(sent(), []);
});

test('no input causes an exception, and the output consists of complete frames', () => {
  const random = seeded(11);
  const pick = (choices: number): number => Math.floor(random() * choices);
  for (let round = 0; round < 3000; round++) {
    const { connection, sent } = talk(echo);
    for (let i = pick(12); i >= 0; i--) {
      const [good, stream] = [[get, post][pick(2)]!, pick(6)];
      const bytes = pick(2) ? good(stream) : Buffer.from([0, 0, pick(12), pick(11), pick(256), 0, 0, 0, stream]);
      const tail = Buffer.from(Array.from({ length: pick(12) }, () => pick(256)));
      if (pick(4) === 0) bytes[pick(bytes.length)] = pick(256);
      connection.read(Buffer.concat([bytes, tail]));
    }
    for (const { type } of sent()) assert.ok(type);
  }
});
