import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerLater } from '../resolver/transport/listener.ts';

const LOOK_MS = 10;

/** The same answers, counted while they are on their way, so that a stop can wait for those that nothing else waits for. */
export function countUnderWay(later: AnswerLater) {
  let count = 0;
  const counted: AnswerLater = (asked, reply) => {
    count += 1;
    later(asked, (bytes) => {
      count -= 1;
      reply(bytes);
    });
  };
  return {
    later: counted,
    /** When all are given, or the time is over. Looks later than at once: questions may still be on their way between threads. */
    async given(withinMs: number): Promise<void> {
      const end = performance.now() + withinMs;
      do await sleep(LOOK_MS);
      while (count > 0 && performance.now() < end);
    },
  };
}
