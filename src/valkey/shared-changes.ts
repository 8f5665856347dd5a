import { randomUUID } from 'node:crypto';
import type { Valkey } from './open-valkey.ts';

const CHANNEL = 'changes';

/** Makes the other nodes read the changes of settings at once. A lost message costs them the interval at which they look anyway. */
export function sharedChanges({ publish, subscribe }: Pick<Valkey, 'publish' | 'subscribe'>) {
  const node = randomUUID();
  return {
    announce: (): void => publish(CHANNEL, node),
    listen: (listener: () => void): (() => void) =>
      subscribe(CHANNEL, (from) => {
        if (from !== node) listener();
      }),
  };
}
