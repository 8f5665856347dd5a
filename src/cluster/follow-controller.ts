import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createZstdDecompress } from 'node:zlib';
import type { DirectorySource } from '../dns-server/directory-feed.ts';
import { readSnapshotLines } from '../dns-server/directory-snapshot.ts';
import type { AccountId } from '../domain/ids.ts';
import type { ChangedAccounts } from '../domain/repositories.ts';
import { messageOf } from '../kit/message-of.ts';
import type { FeedState } from '../store/change-feed.ts';
import { changeNotifier, type NotifierOptions } from '../store/change-notifier.ts';
import { eventsIn } from './change-stream.ts';
import { type ControllerClient, ControllerError } from './controller-client.ts';
import type { EdgeDirectory } from './edge-directory.ts';
import { headers, paths } from './protocol.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

export type FollowerDeps = {
  readonly client: Pick<ControllerClient, 'open'>;
  /** The accounts of the last run, if there are any. */
  readonly directory: EdgeDirectory;
  /** The newest change in the directory; undefined if it must be read from the controller. */
  readonly position: string | undefined;
  readonly notifier?: NotifierOptions;
  /** Called for each failure, with the time until the next attempt. */
  readonly onFailure: (error: unknown, retryMs: number) => void;
  /** Called when the settings are current after the start or a failure. */
  readonly onCurrent: () => void;
  readonly random?: () => number;
  readonly firstWaitMs?: number;
};

/**
 * Follows the accounts of a controller: reads the directory unless it is known, then the stream of changes. After a lost connection, it
 * continues from its position; it retries forever.
 */
export function followController(deps: FollowerDeps) {
  const { client, directory, onFailure, onCurrent, random = Math.random, firstWaitMs = FIRST_WAIT_MS } = deps;
  const notifier = changeNotifier(deps.notifier);
  const stopping = new AbortController();
  const { signal } = stopping;
  const first = Promise.withResolvers<void>();
  let { position } = deps;
  let isRead = false;
  let hasListener = false;
  /** Changes that arrive before the first listener is added. */
  let missed: ChangedAccounts = new Set();
  let revision = 0;
  let knownAt = performance.now();
  let isCurrent = false;
  const waiting = new Set<() => void>();

  const updatePosition = (next: { readonly position: string; readonly revision: number }): void => {
    ({ position, revision } = next);
    knownAt = performance.now();
    if (!isCurrent) onCurrent();
    isCurrent = true;
    for (const check of waiting) check();
  };

  const notify = async (changed: ChangedAccounts): Promise<void> => {
    isRead = true;
    missed = hasListener || changed === 'all' || missed === 'all' ? 'all' : new Set([...missed, ...changed]);
    await notifier.notify(changed);
    first.resolve();
  };

  const readDirectory = async (): Promise<void> => {
    const response = await client.open('GET', paths.directory, { signal });
    const at = String(response.headers[headers.position] ?? '');
    const text = pipeline(response, createZstdDecompress(), () => undefined);
    const replacement = directory.replacement();
    try {
      await readSnapshotLines(createInterface({ input: text, crlfDelay: Infinity }), replacement.add);
    } catch (error) {
      throw new ControllerError(`the directory of the controller is damaged: ${messageOf(error)}`, { cause: error });
    }
    replacement.use();
    position = at;
    await notify('all');
  };

  const readChanges = async (): Promise<void> => {
    const path = `${paths.changes}?after=${encodeURIComponent(position!)}`;
    const response = await client.open('GET', path, { signal });
    let changed = new Set<AccountId>();
    for await (const { event, data } of eventsIn(createInterface({ input: response, crlfDelay: Infinity }))) {
      if (event === 'reset') {
        position = undefined;
        return;
      }
      if (event === 'position') {
        if (changed.size > 0 || !isRead) await notify(changed);
        changed = new Set();
        updatePosition(data);
        continue;
      }
      if (event === 'account') directory.set(data);
      else directory.remove(data.id);
      changed.add(data.id as AccountId);
    }
    throw new ControllerError('the controller has closed the connection');
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (position === undefined) await readDirectory();
        const before = knownAt;
        await readChanges().finally(() => {
          if (knownAt !== before) failures = 0;
        });
      } catch (error) {
        if (signal.aborted) return;
        isCurrent = false;
        // Jitter, so that edges do not reconnect at the same time after a restart of the controller.
        const retryMs = Math.min(LONGEST_WAIT_MS, firstWaitMs * 2 ** failures) * (0.5 + random());
        failures += 1;
        onFailure(error, retryMs);
        await sleep(retryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  };
  const running = run();

  const source: DirectorySource = {
    allAccounts: () => directory.allAccounts(),
    account: directory.account,
    onCommit(listener, name) {
      const stop = notifier.listen(listener, name);
      // Notifies the listener of changes that were read before it was added.
      if (isRead) void notifier.notify(missed);
      hasListener = true;
      return stop;
    },
  };
  return {
    source,
    /** The newest change up to which the listeners have applied everything; undefined while they apply changes. */
    appliedPosition: (): string | undefined => (notifier.areDone() ? position : undefined),
    /** Resolves when the controller was read for the first time. */
    first: first.promise,
    state: (): FeedState => ({ revision, lagMs: performance.now() - knownAt }),
    areListenersBehind: notifier.areBehind,
    listenerFailures: notifier.failures,
    /** Resolves when the accounts of this revision are applied, or after the time. */
    reached: async (wanted: number, withinMs: number): Promise<void> => {
      if (revision >= wanted) return;
      const done = Promise.withResolvers<void>();
      const check = (): void => {
        if (revision >= wanted) done.resolve();
      };
      waiting.add(check);
      await Promise.race([done.promise, sleep(withinMs, undefined, { ref: false })]);
      waiting.delete(check);
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      notifier.stop();
      await running;
    },
  };
}
