import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAuthState } from '../api/auth-state.ts';
import { isReachable } from '../api/connectivity.ts';
import { recordActivity, watchIdle } from '../api/idle.ts';
import { queryClient } from '../api/query-client.ts';
import { endSession, memberQuery } from '../api/session.ts';

const refreshSession = (): void => void queryClient.invalidateQueries({ queryKey: memberQuery.queryKey });

/** Whether to warn about the idle timeout; also ends the session when the timeout is reached. */
export function useIdleWarning() {
  const isSignedIn = useAuthState() === 'signed in';
  // Only reads the cache: pages without a session must not request the member.
  const { data: member } = useQuery({ ...memberQuery, enabled: false });
  const minutes = isSignedIn ? (member?.session_idle_minutes ?? 0) : 0;
  const [isWarning, setIsWarning] = useState(false);
  useEffect(() => {
    if (minutes === 0) return;
    let isEnding = false;
    const end = async (): Promise<void> => {
      isEnding = true;
      // Retried with the next check.
      await endSession().catch(() => undefined);
      isEnding = false;
    };
    return watchIdle(minutes * 60_000, {
      onActivity: refreshSession,
      onState(state) {
        setIsWarning(state === 'warning');
        if (state === 'expired' && !isEnding && isReachable()) void end();
      },
    });
  }, [minutes]);
  const stay = (): void => {
    recordActivity();
    setIsWarning(false);
    refreshSession();
  };
  return { isWarning: isWarning && isSignedIn, stay };
}
