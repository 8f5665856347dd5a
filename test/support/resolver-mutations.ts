import { queryFor } from '../../src/dns/message.ts';
import { classes } from '../../src/dns/numbers.ts';
import { writeMessage } from '../../src/dns/write-message.ts';
import { name } from './resolver/upstream/messages.ts';
import { oddButRight, refusedQueries } from './resolver-odd-queries.ts';

/** The same numbers from the same seed, each below the one that is given. */
export type Dice = (below: number) => number;

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const names = ['a.example.com', 'www.example.co.uk', '_sip._tcp.example.com', 'x', '.', '1.0.0.127.in-addr.arpa'];
const types = [1, 2, 5, 6, 12, 15, 16, 28, 33, 35, 43, 48, 64, 65, 255, 257, 4711];
const proper = names.flatMap((text) =>
  types.map((type, i) =>
    writeMessage(
      queryFor(
        { name: name(text), type, class: classes.IN },
        0,
        i % 3 === 0 ? undefined : { udpSize: 512 * i, version: 0, dnssecOk: i % 2 === 0, options: [] },
      ),
    ),
  ),
);

/** Messages that mutations start from: valid queries, and each kind of invalid ones. */
export const bases: readonly Uint8Array[] = [
  ...proper,
  ...[...refusedQueries, ...oddButRight].map(({ bytes }) => bytes).filter(({ length }) => length < 900),
];

type Mutation = (bytes: number[], roll: Dice) => void;

const place = (bytes: readonly number[], roll: Dice): number => roll(Math.max(bytes.length, 1));
// Bytes that mean something where names, counts and lengths stand.
const telling = [0, 1, 0x0c, 0x29, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xff];

const mutations: readonly Mutation[] = [
  function flipBit(bytes, roll) {
    const at = place(bytes, roll);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
  },
  function setByte(bytes, roll) {
    bytes[place(bytes, roll)] = roll(256);
  },
  function setTellingByte(bytes, roll) {
    bytes[place(bytes, roll)] = telling[roll(telling.length)]!;
  },
  function setCount(bytes, roll) {
    bytes[5 + 2 * roll(4)] = roll(4);
  },
  function cut(bytes, roll) {
    bytes.length = place(bytes, roll);
  },
  function insert(bytes, roll) {
    bytes.splice(place(bytes, roll), 0, ...Array.from({ length: 1 + roll(8) }, () => roll(256)));
  },
  function remove(bytes, roll) {
    bytes.splice(place(bytes, roll), 1 + roll(8));
  },
  function repeat(bytes, roll) {
    const at = place(bytes, roll);
    bytes.splice(at, 0, ...bytes.slice(at, at + 1 + roll(40)));
  },
  function join(bytes, roll) {
    const other = bases[roll(bases.length)]!;
    bytes.splice(place(bytes, roll), bytes.length, ...other.subarray(roll(other.length + 1)));
  },
  function append(bytes, roll) {
    bytes.push(...Array.from({ length: roll(64) }, () => roll(256)));
  },
];

const MOST_MUTATIONS = 4;

/** One of the messages with one to four mutations, and with this id so that its answer can be matched. */
export function mutated(from: readonly Uint8Array[], id: number, roll: Dice): Uint8Array {
  const bytes = [...from[roll(from.length)]!];
  for (let left = 1 + roll(MOST_MUTATIONS); left > 0; left--) mutations[roll(mutations.length)]!(bytes, roll);
  const message = Uint8Array.from(bytes, (byte = 0) => byte);
  if (message.length > 0) message[0] = id >>> 8;
  if (message.length > 1) message[1] = id;
  return message;
}
