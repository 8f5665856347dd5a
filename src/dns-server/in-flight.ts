import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerAsync } from '../resolver/transport/listener.ts';

const POLL_MS = 10;

/** Counts queries in flight, so that a stop can wait for those that no connection waits for. */
export function countInFlight(answerAsync: AnswerAsync) {
  let count = 0;
  const counted: AnswerAsync = (request, reply) => {
    count += 1;
    answerAsync(request, (bytes) => {
      count -= 1;
      reply(bytes);
    });
  };
  return {
    answerAsync: counted,
    /** Resolves when none is in flight, or after the time limit. Waits first: queries may still be on their way between threads. */
    async settled(withinMs: number): Promise<void> {
      const end = performance.now() + withinMs;
      do await sleep(POLL_MS);
      while (count > 0 && performance.now() < end);
    },
  };
}
