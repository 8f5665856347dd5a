import { useEffect, useEffectEvent, useState } from 'react';
import { type LogFilters, liveLogUrl } from '../../api/log.ts';
import type { LogItem } from '../../api/log-wire.ts';

export type Following = 'off' | 'connecting' | 'on' | 'refused';

type Told = {
  /** The stream is there: from now on nothing is missed. */
  readonly onOpen: () => void;
  readonly onQueries: (items: readonly LogItem[]) => void;
  /** Some were too many to be told. */
  readonly onMissed: () => void;
};

// A page that is drawn anew for each of a thousand queries a second shows none of them.
const GATHER_MS = 250;

/** Follows the log while it is wanted. A stream that ends, as each does after a while, is begun again by the browser. */
export function useLiveLog(filters: LogFilters, isWanted: boolean, told: Told): Following {
  const [following, setFollowing] = useState<Following>('off');
  const onOpen = useEffectEvent(told.onOpen);
  const onQueries = useEffectEvent(told.onQueries);
  const onMissed = useEffectEvent(told.onMissed);
  const url = liveLogUrl(filters);
  useEffect(() => {
    if (!isWanted) return;
    setFollowing('connecting');
    let gathered: LogItem[] = [];
    const stream = new EventSource(url);
    stream.addEventListener('open', () => {
      setFollowing('on');
      onOpen();
    });
    stream.addEventListener('query', ({ data }: MessageEvent<string>) => gathered.push(JSON.parse(data) as LogItem));
    stream.addEventListener('missed', () => onMissed());
    stream.addEventListener('error', () =>
      setFollowing(stream.readyState === EventSource.CLOSED ? 'refused' : 'connecting'),
    );
    const timer = setInterval(() => {
      if (gathered.length > 0) onQueries(gathered);
      gathered = [];
    }, GATHER_MS);
    return () => {
      clearInterval(timer);
      stream.close();
      setFollowing('off');
    };
  }, [url, isWanted]);
  return following;
}
