import type { DirectorySource } from '../dns-server/directory-feed.ts';
import { jsonLine } from '../kit/json-lines.ts';
import type { ChangedSince } from '../store/change-feed.ts';
import type { Position } from '../store/changes.ts';
import { type ChangeEvent, HEARTBEAT_MS, positionText } from './protocol.ts';

export type ChangeStreamDeps = {
  readonly source: Pick<DirectorySource, 'account' | 'onCommit'>;
  readonly changedSince: (position: Position) => Promise<ChangedSince>;
  /** See `positionText`. */
  readonly form: string;
  /** Checked with every heartbeat, because the key may have been revoked. */
  readonly isAllowed: () => Promise<boolean>;
  readonly heartbeatMs?: number;
};

/**
 * Streams changed accounts after the position `from` as server-sent events, until the signal is aborted or the key is revoked. If `from` is
 * undefined or no longer known, sends only `reset`.
 */
export async function* changeStream(
  deps: ChangeStreamDeps,
  from: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (!from) {
    yield textOf({ event: 'reset', data: {} });
    return;
  }
  const { source, changedSince, isAllowed, form, heartbeatMs = HEARTBEAT_MS } = deps;
  let wake = Promise.withResolvers<void>();
  const stop = source.onCommit(() => wake.resolve(), 'edges');
  const end = (): void => wake.resolve();
  signal.addEventListener('abort', end);
  let position = from;
  try {
    while (!signal.aborted && (await isAllowed())) {
      wake = Promise.withResolvers();
      const since = await changedSince(position);
      if (since === 'all') {
        yield textOf({ event: 'reset', data: {} });
        return;
      }
      for (const id of since.accounts) {
        const account = await source.account(id);
        yield textOf(account ? { event: 'account', data: account } : { event: 'removed', data: { id } });
      }
      ({ position } = since);
      yield textOf({
        event: 'position',
        data: { position: positionText(position, form), revision: position.revision },
      });
      const timer = setTimeout(wake.resolve, heartbeatMs);
      // Checked again, because the signal may have been aborted before the promise was replaced.
      if (!signal.aborted) await wake.promise;
      clearTimeout(timer);
    }
  } finally {
    stop();
    signal.removeEventListener('abort', end);
  }
}

const textOf = ({ event, data }: ChangeEvent): string => `event: ${event}\ndata: ${jsonLine(data)}\n\n`;

/** The events of a stream of lines. */
export async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<ChangeEvent> {
  let event = '';
  for await (const line of lines) {
    if (line.startsWith('event: ')) event = line.slice('event: '.length);
    if (line.startsWith('data: '))
      yield { event, data: JSON.parse(line.slice('data: '.length)) as unknown } as ChangeEvent;
  }
}
