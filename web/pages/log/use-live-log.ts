import { useEffect, useEffectEvent, useState } from 'react';
import { type LogFilters, liveLogUrl } from '../../api/log.ts';
import type { LogItem } from '../../api/wire.ts';

export type LiveState = 'off' | 'connecting' | 'on' | 'refused';

type Handlers = {
  /** The stream is open; queries from now on are complete. */
  readonly onOpen: () => void;
  readonly onQueries: (items: readonly LogItem[]) => void;
  /** The service dropped queries because there were too many. */
  readonly onMissed: () => void;
};

// Batches updates: rendering each of a thousand queries per second would block the page.
const BATCH_MS = 250;

/** Subscribes to new queries. The service closes streams after a while; the browser reconnects. */
export function useLiveLog(filters: LogFilters, isEnabled: boolean, handlers: Handlers): LiveState {
  const [state, setState] = useState<LiveState>('off');
  const onOpen = useEffectEvent(handlers.onOpen);
  const onQueries = useEffectEvent(handlers.onQueries);
  const onMissed = useEffectEvent(handlers.onMissed);
  const url = liveLogUrl(filters);
  useEffect(() => {
    if (!isEnabled) return;
    setState('connecting');
    let batch: LogItem[] = [];
    const stream = new EventSource(url);
    stream.addEventListener('open', () => {
      setState('on');
      onOpen();
    });
    stream.addEventListener('query', ({ data }: MessageEvent<string>) => batch.push(JSON.parse(data) as LogItem));
    stream.addEventListener('missed', () => onMissed());
    stream.addEventListener('error', () =>
      setState(stream.readyState === EventSource.CLOSED ? 'refused' : 'connecting'),
    );
    const timer = setInterval(() => {
      if (batch.length > 0) onQueries(batch);
      batch = [];
    }, BATCH_MS);
    return () => {
      clearInterval(timer);
      stream.close();
      setState('off');
    };
  }, [url, isEnabled]);
  return state;
}
