import type { FastifyRequest } from 'fastify';
import { lru } from '../kit/lru.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';

type Remembered = {
  /** Of the store that it was made of. */
  readonly version: number;
  readonly with: Caller['with'];
  readonly text: string;
};

const MAX_BYTES = 32 * 1024 * 1024;
// Of a character, and of what else there is to an entry.
const BYTES_A_CHARACTER = 2;
const BYTES_MORE = 200;

export type RememberedAnswers = ReturnType<typeof rememberedAnswers>;

/**
 * Answers that are made of the store alone, for as long as nothing at all was committed: who asks, by which credentials,
 * what exactly, and all that the answer says are then as they were.
 */
export function rememberedAnswers({ store, now }: Pick<Deps, 'store' | 'now'>) {
  const answers = lru<Remembered>({ maxBytes: MAX_BYTES });
  const nameOf = ({ raw: { headers, url } }: FastifyRequest): string | undefined =>
    headers.authorization && `${headers.authorization}\n${url}`;

  return {
    find(request: FastifyRequest): string | undefined {
      const name = nameOf(request);
      const found = name === undefined ? undefined : answers.get(name);
      if (!found || found.version !== store.version()) return undefined;
      if ('key' in found.with) store.keyUsed(found.with.key, now());
      else if (found.with.expiresAt <= now()) return undefined;
      return found.text;
    },

    keep(request: FastifyRequest, version: number, caller: Caller, answer: unknown): void {
      const name = nameOf(request);
      if (name === undefined) return;
      const text = JSON.stringify(answer);
      const bytes = (name.length + text.length) * BYTES_A_CHARACTER + BYTES_MORE;
      answers.set(name, { version, with: caller.with, text }, bytes);
    },
  };
}
