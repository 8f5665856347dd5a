import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { problemOf } from '../api/api-error.ts';
import { memberQuery } from '../api/session.ts';

/** Whoever has not signed in does so first, and then comes back. */
export async function requireMember(queryClient: QueryClient, wanted: string): Promise<void> {
  try {
    await queryClient.ensureQueryData(memberQuery);
  } catch (error) {
    if (problemOf(error).kind !== 'signedOut') throw error;
    throw redirect({ to: '/sign-in', search: wanted === '/' ? {} : { next: wanted } });
  }
}

/** A path of ours, whatever stood in the address: never another host. */
export const safeNext = (next: string | undefined): string => (next && /^\/(?![/\\])/.test(next) ? next : '/');
