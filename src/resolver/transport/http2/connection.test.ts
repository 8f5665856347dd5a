import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOn } from '../doh-for-tests.ts';
import { END_HEADERS, END_STREAM, frame, requestHeaders } from '../raw-http2-for-tests.ts';
import { nodeClient, type Talk, talk } from './connection-for-tests.ts';
import { faults, flags, preface } from './frames.ts';
import { seeded } from './seeded-for-tests.ts';
import type { AnswerRequest, Response } from './stream.ts';

const reply = (body: string | Uint8Array): Response => ({ status: 200, type: 'text/plain', body: Buffer.from(body) });

/** GET is answered at once with its path, POST with its body. */
const echo: AnswerRequest = (head, respond) => {
  if (head.method === 'POST') return (body) => respond(body ? reply(body) : { ...reply('too long'), status: 413 });
  respond(reply(head.path));
  return undefined;
};
const silent: AnswerRequest = () => undefined;

const whole = END_HEADERS | END_STREAM;
const get = (id: number, path = '/'): Buffer => frame('headers', whole, id, requestHeaders(path));
/** POST https / */
const post = (id: number, more: readonly number[] = []): Buffer =>
  frame('headers', END_HEADERS, id, Buffer.from([0x83, 0x87, 0x84, ...more]));
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const setting = (id: number, value: number): Buffer =>
  frame('settings', 0, 0, Buffer.concat([Buffer.from([0, id]), number(value)]));
const padded = (length: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([length]), Buffer.from(text), Buffer.alloc(length)]);

/** The answers in what was sent, by stream. */
const bodies = (sent: ReturnType<Talk['sent']>): Record<number, string> => {
  const found: Record<number, string> = {};
  for (const { type, id, payload } of sent)
    if (type === 'data') found[id] = (found[id] ?? '') + payload.toString('latin1');
  return found;
};
const resets = (sent: ReturnType<Talk['sent']>): readonly (readonly [number, number])[] =>
  sent.filter(({ type }) => type === 'reset').map(({ id, payload }) => [id, payload.readUInt32BE(0)] as const);
const goAway = (sent: ReturnType<Talk['sent']>): number | undefined =>
  sent.find(({ type }) => type === 'goAway')?.payload.readUInt32BE(4);

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

test('all requests of one chunk are answered in one piece, whatever pieces they come in themselves', () => {
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

const wrong: readonly (readonly [why: string, bytes: Buffer, fault: keyof typeof faults])[] = [
  ['a frame that is too long', Buffer.from([0, 0x40, 1, 0, 0, 0, 0, 0, 1]), 'frameSize'],
  ['a head on stream 0', frame('headers', whole, 0, requestHeaders('/')), 'protocol'],
  ['a head on a stream of ours', get(2), 'protocol'],
  [
    'a head with more padding than there is',
    frame('headers', whole | flags.padded, 1, Buffer.from([9, 1])),
    'protocol',
  ],
  ['fields that cannot be read', frame('headers', whole, 1, Buffer.from([0x80])), 'compression'],
  ['data on stream 0', frame('data', 0, 0), 'protocol'],
  ['data on a stream that nobody opened', frame('data', 0, 1), 'protocol'],
  [
    'data with more padding than there is',
    Buffer.concat([post(1), frame('data', 8, 1, Buffer.from([5, 1]))]),
    'protocol',
  ],
  ['a reset of stream 0', frame('reset', 0, 0, number(8)), 'protocol'],
  ['a reset of a stream that nobody opened', frame('reset', 0, 1, number(8)), 'protocol'],
  ['a reset of another length', Buffer.concat([post(1), frame('reset', 0, 1, Buffer.alloc(5))]), 'frameSize'],
  ['settings of a stream', frame('settings', 0, 1), 'protocol'],
  ['settings that are cut off', frame('settings', 0, 0, Buffer.alloc(5)), 'frameSize'],
  ['settings in what only acknowledges', frame('settings', flags.ack, 0, Buffer.alloc(6)), 'frameSize'],
  ['pushing that is neither on nor off', setting(2, 2), 'protocol'],
  ['a window that is too wide', setting(4, 2 ** 31), 'flowControl'],
  ['frames that are too small', setting(5, 16_383), 'protocol'],
  ['frames that are too large', setting(5, 2 ** 24), 'protocol'],
  ['a push', frame('pushPromise', END_HEADERS, 1, Buffer.alloc(4)), 'protocol'],
  ['a ping on a stream', frame('ping', 0, 1, Buffer.alloc(8)), 'protocol'],
  ['a ping of another length', frame('ping', 0, 0, Buffer.alloc(7)), 'frameSize'],
  ['a farewell on a stream', frame('goAway', 0, 1, Buffer.alloc(8)), 'protocol'],
  ['a window that grows by nothing', frame('windowUpdate', 0, 0, number(0)), 'protocol'],
  ['a window that grows too wide', frame('windowUpdate', 0, 0, number(2 ** 31 - 1)), 'flowControl'],
  ['a window of another length', frame('windowUpdate', 0, 0, Buffer.alloc(3)), 'frameSize'],
  ['a window of a stream that nobody opened', frame('windowUpdate', 0, 7, number(1)), 'protocol'],
  ['priority of stream 0', frame('priority', 0, 0, Buffer.alloc(5)), 'protocol'],
  ['priority of another length', frame('priority', 0, 1, Buffer.alloc(4)), 'frameSize'],
  ['the rest of a head that never began', frame('continuation', END_HEADERS, 1), 'protocol'],
  [
    'something else within a head',
    Buffer.concat([frame('headers', 0, 1), frame('ping', 0, 0, Buffer.alloc(8))]),
    'protocol',
  ],
  ['another head within a head', Buffer.concat([frame('headers', 0, 1), get(3)]), 'protocol'],
  ['the rest of another head', Buffer.concat([frame('headers', 0, 1), frame('continuation', 4, 3)]), 'protocol'],
];

for (const [why, bytes, fault] of wrong)
  test(`a fault of the connection ends it, with what it was: ${why}`, () => {
    const { connection, sent, isEnded } = talk(echo);
    connection.read(bytes);
    assert.equal(goAway(sent()), faults[fault]);
    assert.ok(isEnded());
    connection.read(get(9));
    assert.deepEqual(sent(), [], 'nothing is answered any more');
  });

for (const [why, first] of [
  ['no preface', Buffer.from('GET /dns-query HTTP/1.1\r\n\r\n')],
  ['no settings', Buffer.concat([preface, get(1)])],
] as const)
  test(`who does not begin as HTTP/2 begins is not listened to: ${why}`, () => {
    const { connection, sent } = talk(echo, { greeted: false });
    connection.read(first);
    assert.equal(goAway(sent()), faults.protocol);
  });

const literal = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);
const head = (...fields: readonly Buffer[]): Buffer => frame('headers', whole, 1, Buffer.concat(fields));
const [method, scheme, path] = [Buffer.from([0x82]), Buffer.from([0x87]), Buffer.from([0x84])];

const malformed: readonly (readonly [why: string, bytes: Buffer, fault?: keyof typeof faults])[] = [
  ['no path', head(method, scheme)],
  ['no scheme', head(method, path)],
  ['no method', head(scheme, path)],
  ['an empty path', head(method, scheme, literal(':path', ''))],
  ['two paths', head(method, scheme, path, path)],
  ['a path behind other fields', head(method, scheme, literal('a', 'b'), path)],
  ['a field of an answer', head(method, scheme, path, literal(':status', '200'))],
  ['an unknown field of that kind', head(method, scheme, path, literal(':who', 'me'))],
  ['capitals in a name', head(method, scheme, path, literal('Accept', 'x'))],
  ['a space in a name', head(method, scheme, path, literal('a b', 'x'))],
  ['no name', head(method, scheme, path, literal('', 'x'))],
  ['a field of HTTP/1.1', head(method, scheme, path, literal('connection', 'close'))],
  ['an encoding of HTTP/1.1', head(method, scheme, path, literal('transfer-encoding', 'chunked'))],
  ['other transfer than trailers', head(method, scheme, path, literal('te', 'gzip'))],
  ['a line break in a value', head(method, scheme, path, literal('a', 'b\r\nc'))],
  ['a space before a value', head(method, scheme, path, literal('a', ' b'))],
  ['two lengths', head(method, scheme, path, literal('content-length', '0'), literal('content-length', '0'))],
  ['a length that is no number', head(method, scheme, path, literal('content-length', '-1'))],
  ['a length without a body', head(method, scheme, path, literal('content-length', '3'))],
  [
    'more of a body than its length',
    Buffer.concat([post(1, [0x0f, 0x0d, 1, 0x32]), frame('data', 1, 1, Buffer.from('abc'))]),
  ],
  ['trailers without an end', Buffer.concat([post(1), frame('headers', END_HEADERS, 1)])],
  ['a path in trailers', Buffer.concat([post(1), get(1)])],
  ['a window of a stream that grows by nothing', Buffer.concat([post(1), frame('windowUpdate', 0, 1, number(0))])],
];

for (const [why, bytes] of malformed)
  test(`a malformed request is reset, and others are answered: ${why}`, () => {
    const { connection, sent, isEnded } = talk((request, respond) =>
      request.path === '/next' || request.method === 'POST' ? echo(request, respond) : undefined,
    );
    connection.read(bytes);
    assert.deepEqual(resets(sent()), [[1, faults.protocol]]);
    connection.read(get(3, '/next'));
    assert.deepEqual(bodies(sent()), { 3: '/next' });
    assert.ok(!isEnded());
  });

test('a request without a body may have a length of 0, and one with trailers is whole with them', () => {
  const { connection, sent } = talk(echo);
  connection.read(head(method, scheme, path, literal('content-length', '0'), literal('te', 'trailers')));
  connection.read(Buffer.concat([post(3), frame('data', 0, 3, Buffer.from('abc'))]));
  connection.read(frame('headers', whole, 3, literal('x-sum', '1')));
  assert.deepEqual(bodies(sent()), { 1: '/', 3: 'abc' });
});

test('data for a stream that is over is thrown away; for one that has had its end, the stream is reset', () => {
  const { connection, sent, isEnded } = talk((request, respond) =>
    request.path === '/' ? undefined : echo(request, respond),
  );
  connection.read(Buffer.concat([get(1, '/now'), frame('data', 0, 1, Buffer.from('late'))]));
  assert.deepEqual(resets(sent()), []);
  connection.read(Buffer.concat([get(3), frame('data', 0, 3, Buffer.from('late'))]));
  assert.deepEqual(resets(sent()), [[3, faults.streamClosed]]);
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
  assert.deepEqual([bodies(after), resets(after)], [{ 3: '/' }, [[3, faults.none]]]);
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
  // Fewer than were sent already: the window is below nothing now.
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
  assert.equal(goAway(sent()), faults.flowControl);
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
  assert.deepEqual([bodies(first), resets(first)], [{ 1: 'too long' }, [[1, faults.none]]]);
  connection.read(Buffer.concat([post(3), body(3, 65_535), frame('data', 0, 3, Buffer.alloc(2))]));
  assert.deepEqual(resets(sent()), [[3, faults.flowControl]]);
});

test('a body that does not come within five seconds is given up', () => {
  const { connection, sent, wait, doing } = talk(echo);
  connection.read(Buffer.concat([post(1), frame('data', 0, 1, Buffer.from('x'))]));
  wait(4999);
  connection.sweep();
  assert.deepEqual([sent(), doing()], [[], 'busy']);
  wait(2);
  connection.sweep();
  assert.deepEqual([resets(sent()), doing()], [[[1, faults.cancel]], 'idle']);
});

test('what a connection does is known: a head that is not whole, requests under way, nothing', () => {
  const { connection, doing } = talk(silent);
  assert.equal(doing(), 'first');
  connection.read(frame('headers', END_STREAM, 1, requestHeaders('/')));
  assert.equal(doing(), 'message');
  connection.read(frame('continuation', END_HEADERS, 1));
  assert.equal(doing(), 'busy');
  connection.read(frame('reset', 0, 1, number(8)));
  assert.equal(doing(), 'idle');
});

const floods: readonly (readonly [what: string, next: (round: number) => Buffer, most: number])[] = [
  ['settings', () => frame('settings', 0, 0), 1000],
  ['pings', () => frame('ping', 0, 0, Buffer.alloc(8)), 1000],
  ['answers to pings', () => frame('ping', 1, 0, Buffer.alloc(8)), 1000],
  ['priorities', () => frame('priority', 0, 1, Buffer.alloc(5)), 1000],
  ['farewells', () => frame('goAway', 0, 0, Buffer.alloc(8)), 1000],
  ['frames of no known type', () => Buffer.from([0, 0, 0, 99, 0, 0, 0, 0, 0]), 1000],
  ['empty data', (round) => (round === 0 ? post(1) : frame('data', 0, 1)), 1001],
  ['empty heads', (round) => frame(round === 0 ? 'headers' : 'continuation', 0, 1), 32],
  [
    'requests that are reset',
    (round) => Buffer.concat([get(2 * round + 1), frame('reset', 0, 2 * round + 1, number(8))]),
    200,
  ],
  ['requests that are malformed', (round) => frame('headers', whole, 2 * round + 1), 200],
  ['requests beyond those that are open', (round) => get(2 * round + 1), 1100],
  [
    'heads for streams that are over',
    (round) => (round === 0 ? Buffer.concat([get(1), frame('reset', 0, 1, number(8))]) : get(1)),
    1001,
  ],
];

for (const [what, next, most] of floods)
  test(`a flood of ${what} is told to calm down`, () => {
    const flooded = talk(silent);
    let round = 0;
    while (!flooded.isEnded() && round < 5000) flooded.connection.read(next(round++));
    assert.equal(goAway(flooded.sent()), faults.calm);
    assert.ok(Math.abs(round - most) <= 2, `${round}`);
  });

test('who resets seven streams a second may do so all day', () => {
  const { connection, wait, isEnded } = talk(silent);
  for (let round = 0; round < 5000; round++) {
    connection.read(Buffer.concat([get(2 * round + 1), frame('reset', 0, 2 * round + 1, number(8))]));
    wait(150);
  }
  assert.ok(!isEnded());
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

test('no bytes make it throw, and whatever it says is made of whole frames', () => {
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
