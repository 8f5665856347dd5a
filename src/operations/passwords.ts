import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { networkKey } from '../domain/network-key.ts';
import { TooBusy } from '../domain/store-error.ts';
import { fairQueue, QueueFull } from '../kit/fair-queue.ts';

// OWASP minimum for Argon2id. Each hash contains its parameters, so that they can change.
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const NONCE_BYTES = 16;

// Hashing takes one core and 19 MiB for 80 ms. Networks are served in turn, so that one cannot block the sign-in of
// others.
const QUEUE = { atOnce: 2, maxWaiting: 64, maxWaitingPerKey: 16, maxKnown: 4096 };

type Parameters = typeof PARAMETERS;

export type Passwords = {
  /** `from` is the address of the client. */
  readonly hash: (password: string, from: string) => Promise<string>;
  readonly verify: (password: string, hash: string, from: string) => Promise<boolean>;
  /** Whether a password from this address would be hashed now or wait. */
  readonly hasRoom: (from: string) => boolean;
  /** Reserves queue slots for the network of a client that has signed in. */
  readonly noteSignedIn: (from: string) => void;
  /** Whether a hash has outdated parameters. */
  readonly isOld: (hash: string) => boolean;
};

const derive = promisify(argon2);

/** Argon2id off the main thread, a few at a time, fair by network; rejects with TooBusy when too many wait. */
export function createPasswords(): Passwords {
  const queue = fairQueue(QUEUE);

  const tagOf = (password: string, nonce: Buffer, parameters: Parameters, tagLength: number, from: string) =>
    queue
      .run(networkKey(from), () =>
        // The same text can have different code points on different devices.
        derive('argon2id', { message: password.normalize('NFC'), nonce, tagLength, ...parameters }),
      )
      .catch((error: unknown) => {
        throw error instanceof QueueFull
          ? new TooBusy('too many passwords are being checked', { cause: error })
          : error;
      });

  return {
    hash: async (password, from) => {
      const nonce = randomBytes(NONCE_BYTES);
      return write(PARAMETERS, nonce, await tagOf(password, nonce, PARAMETERS, TAG_BYTES, from));
    },
    verify: async (password, hash, from) => {
      const parsed = parse(hash);
      if (!parsed) return false;
      const tag = await tagOf(password, parsed.nonce, parsed.parameters, parsed.tag.length, from);
      return timingSafeEqual(tag, parsed.tag);
    },
    hasRoom: (from) => queue.hasRoom(networkKey(from)),
    noteSignedIn: (from) => queue.noteKnown(networkKey(from)),
    isOld: (hash) => JSON.stringify(parse(hash)?.parameters) !== JSON.stringify(PARAMETERS),
  };
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Standard encoding: `$argon2id$v=19$m=…,t=…,p=…$nonce$tag`. */
const write = ({ memory, passes, parallelism }: Parameters, nonce: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`;

const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,88})\$([\w+/]{22,88})$/;

function parse(hash: string): { parameters: Parameters; nonce: Buffer; tag: Buffer } | undefined {
  const [, memory, passes, parallelism, nonce, tag] = form.exec(hash) ?? [];
  if (nonce === undefined || tag === undefined) return undefined;
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
