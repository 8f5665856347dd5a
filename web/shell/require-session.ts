import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { problemOf } from '../api/api-error.ts';
import { compileAccessQuery } from '../api/compile-access.ts';
import { memberQuery } from '../api/session.ts';
import { SIGNED_IN_KEY } from './stored-keys.ts';

/** Whether this browser had a session; without one, data that needs it is not requested before the session is checked. */
export const mayHaveSession = (): boolean => localStorage.getItem(SIGNED_IN_KEY) !== null;

/** Redirects to the sign-in page, which returns to `target` afterwards. The compiler may be open to all. */
export async function requireSession(queryClient: QueryClient, target: string): Promise<{ hasSession: boolean }> {
  try {
    await queryClient.ensureQueryData(memberQuery);
    localStorage.setItem(SIGNED_IN_KEY, 'yes');
    return { hasSession: true };
  } catch (error) {
    const { kind } = problemOf(error);
    // Until the first account exists, other machines reach only this page.
    if (kind === 'forbidden') throw redirect({ to: '/set-up' });
    if (kind !== 'signedOut') throw error;
    localStorage.removeItem(SIGNED_IN_KEY);
    if (/^\/compiler(?![\w-])/.test(target) && (await isCompilerOpen(queryClient))) return { hasSession: false };
    throw redirect({ to: '/sign-in', search: target === '/' ? {} : { next: target } });
  }
}

const isCompilerOpen = (queryClient: QueryClient): Promise<boolean> =>
  queryClient.fetchQuery(compileAccessQuery).then(
    ({ page }) => page,
    () => false,
  );

/** Only allows paths of this site, to prevent open redirects. */
export const safeNext = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : '/');
