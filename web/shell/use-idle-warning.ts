import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSignedIn } from '../api/auth-state.ts';
import { isReachable } from '../api/connectivity.ts';
import { noteActive, watchPresence } from '../api/idle.ts';
import { queryClient } from '../api/query-client.ts';
import { endSession, memberQuery } from '../api/session.ts';

const tellService = (): void => void queryClient.invalidateQueries({ queryKey: memberQuery.queryKey });

/** Whether somebody who does nothing is about to be signed out, which is done here when it is time. */
export function useEndsSoon() {
  const isSignedIn = useSignedIn() === 'yes';
  // As others have asked for it: on a page for strangers nobody does.
  const { data: member } = useQuery({ ...memberQuery, enabled: false });
  const minutes = isSignedIn ? (member?.session_idle_minutes ?? 0) : 0;
  const [endsSoon, setEndsSoon] = useState(false);
  useEffect(() => {
    if (minutes === 0) return;
    let isEnding = false;
    const end = async (): Promise<void> => {
      isEnding = true;
      // What fails is tried again, once somebody can be reached.
      await endSession().catch(() => undefined);
      isEnding = false;
    };
    return watchPresence(minutes * 60_000, {
      stillHere: tellService,
      presence(presence) {
        setEndsSoon(presence === 'ends soon');
        if (presence === 'gone' && !isEnding && isReachable()) void end();
      },
    });
  }, [minutes]);
  const stay = (): void => {
    noteActive();
    setEndsSoon(false);
    tellService();
  };
  return { endsSoon: endsSoon && isSignedIn, stay };
}
