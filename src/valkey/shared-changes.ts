import { randomUUID } from 'node:crypto';
import type { Valkey } from './open-valkey.ts';

const CHANNEL = 'changes';

/** Notifies the other nodes of changes of settings. If a message is lost, they read the changes at their next poll. */
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
