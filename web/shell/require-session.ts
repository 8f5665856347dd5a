import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { problemOf } from '../api/api-error.ts';
import { memberQuery } from '../api/session.ts';

/** Redirects to the sign-in page, which returns to `target` afterwards. */
export async function requireSession(queryClient: QueryClient, target: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(memberQuery);
  } catch (error) {
    if (problemOf(error).kind !== 'signedOut') throw error;
    throw redirect({ to: '/sign-in', search: target === '/' ? {} : { next: target } });
  }
}

/** Only allows paths of this site, to prevent open redirects. */
export const safeNext = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : '/');
