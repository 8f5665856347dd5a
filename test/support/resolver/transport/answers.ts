import type { Answers, DnsRequest } from '../../../../src/resolver/transport/listener.ts';

// Queries of the tests say in their third byte what is to become of them; the answer says what the transport knew.
export const wishes = { atOnce: 0, later: 1, drop: 2, throw: 3, echo: 4, never: 5 } as const;
export type Wish = keyof typeof wishes;

export function query(id: number, wish: Wish, length = 17): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt16BE(id);
  bytes[2] = wishes[wish];
  return bytes;
}

export type Seen = {
  id: number;
  length: number;
  transport: string;
  client: string;
  clientPort: number;
  local: string;
  serverName?: string;
  path?: string;
  login?: { user: string; password: string };
};

/** The same id, the bit that makes it an answer, then what was known, as text. */
export function describe(asked: DnsRequest): Buffer {
  const { bytes, at, client, local, ...known } = asked;
  const id = (bytes[at]! << 8) | bytes[at + 1]!;
  const seen = { id, ...known, client: addressText(client), local: addressText(local) };
  const head = Buffer.from([id >> 8, id & 0xff, 0x80, ...new Uint8Array(9)]);
  return Buffer.concat([head, Buffer.from(JSON.stringify(seen))]);
}

export const readAnswer = (answer: Uint8Array): Seen => JSON.parse(Buffer.from(answer).toString('utf8', 12));

const addressText = (bytes: Uint8Array): string =>
  bytes.length === 4 ? bytes.join('.') : Buffer.from(bytes).toString('hex');

export function atOnceForTests(asked: DnsRequest, into: Uint8Array, at: number): number {
  const wish = asked.bytes[asked.at + 2]!;
  if (wish === wishes.throw) throw new Error('a fault in answering');
  if (wish === wishes.drop) return 0;
  if (wish === wishes.later || wish === wishes.never) return -1;
  const answer = wish === wishes.echo ? asked.bytes.subarray(asked.at, asked.at + asked.length) : describe(asked);
  into.set(answer, at);
  into[at + 2]! |= 0x80;
  return answer.length;
}

export const answersForTests: Answers = {
  answerSync: atOnceForTests,
  answerAsync(asked, reply) {
    if (asked.bytes[asked.at + 2] === wishes.never) return;
    // Not in the order in which they came: each id has its own delay.
    setTimeout(() => reply(describe(asked)), asked.bytes[asked.at + 1]! % 5);
  },
};
