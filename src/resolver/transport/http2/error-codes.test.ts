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
  number,
  path,
  post,
  resets,
  scheme,
  setting,
  talk,
  whole,
} from '../../../../test/support/resolver/http2/connection.ts';
import { END_HEADERS, frame, requestHeaders } from '../../../../test/support/resolver/transport/raw-http2.ts';
import { errorCodes, flags, preface } from './http2-frames.ts';

const wrong: readonly (readonly [why: string, bytes: Buffer, errorCode: keyof typeof errorCodes])[] = [
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

for (const [why, bytes, errorCode] of wrong)
  test(`a fault of the connection ends it, with what it was: ${why}`, () => {
    const { connection, sent, isEnded } = talk(echo);
    connection.read(bytes);
    assert.equal(goAway(sent()), errorCodes[errorCode]);
    assert.ok(isEnded());
    connection.read(get(9));
    assert.deepEqual(sent(), [], 'nothing is answered any more');
  });

for (const [why, first] of [
  ['no preface', Buffer.from('GET /dns-query HTTP/1.1\r\n\r\n')],
  ['no settings', Buffer.concat([preface, get(1)])],
] as const)
  test(`a connection without the HTTP/2 preface is closed: ${why}`, () => {
    const { connection, sent } = talk(echo, { greeted: false });
    connection.read(first);
    assert.equal(goAway(sent()), errorCodes.protocol);
  });

const malformed: readonly (readonly [why: string, bytes: Buffer, errorCode?: keyof typeof errorCodes])[] = [
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
    assert.deepEqual(resets(sent()), [[1, errorCodes.protocol]]);
    connection.read(get(3, '/next'));
    assert.deepEqual(bodies(sent()), { 3: '/next' });
    assert.ok(!isEnded());
  });
