import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  echo,
  get,
  goAway,
  number,
  post,
  silent,
  talk,
  whole,
} from '../../../../test/support/resolver/http2/connection.ts';
import { frame } from '../../../../test/support/resolver/transport/raw-http2.ts';
import { errorCodes } from './http2-frames.ts';

const floods: readonly (readonly [what: string, next: (round: number) => Buffer, most: number])[] = [
  ['settings', () => frame('settings', 0, 0), 1000],
  ['pings', () => frame('ping', 0, 0, Buffer.alloc(8)), 1000],
  ['answers to pings', () => frame('ping', 1, 0, Buffer.alloc(8)), 1000],
  ['priorities', () => frame('priority', 0, 1, Buffer.alloc(5)), 1000],
  ['farewells', () => frame('goAway', 0, 0, Buffer.alloc(8)), 1000],
  ['window updates of the connection', () => frame('windowUpdate', 0, 0, number(1)), 1000],
  ['window updates of a stream', (round) => (round === 0 ? get(1) : frame('windowUpdate', 0, 1, number(1))), 1001],
  [
    'window updates of streams that are over',
    (round) =>
      Buffer.concat(round === 0 ? [get(1), frame('reset', 0, 1, number(8))] : [frame('windowUpdate', 0, 1, number(1))]),
    1001,
  ],
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
  test(`a flood of ${what} ends with ENHANCE_YOUR_CALM`, () => {
    const flooded = talk(silent);
    let round = 0;
    while (!flooded.isEnded() && round < 5000) flooded.connection.read(next(round++));
    assert.equal(goAway(flooded.sent()), errorCodes.enhanceYourCalm);
    assert.ok(Math.abs(round - most) <= 2, `${round}`);
  });

test('a client may send a few control frames for each request', () => {
  const { connection, isEnded } = talk(echo);
  const words = Buffer.concat([frame('ping', 0, 0, Buffer.alloc(8)), Buffer.from([0, 0, 0, 16, 0, 0, 0, 0, 0])]);
  for (let round = 0; round < 5000; round++) connection.read(Buffer.concat([get(2 * round + 1), words]));
  assert.ok(!isEnded());
});

test('a client may widen both windows after each answer', () => {
  const { connection, isEnded } = talk(echo);
  for (let round = 0; round < 5000; round++) {
    const id = 2 * round + 1;
    const widenings = [0, id].map((of) => frame('windowUpdate', 0, of, number(1)));
    connection.read(Buffer.concat([get(id), ...widenings]));
  }
  assert.ok(!isEnded());
});

test('a client may reset seven streams a second all day', () => {
  const { connection, wait, isEnded } = talk(silent);
  for (let round = 0; round < 5000; round++) {
    connection.read(Buffer.concat([get(2 * round + 1), frame('reset', 0, 2 * round + 1, number(8))]));
    wait(150);
  }
  assert.ok(!isEnded());
});
