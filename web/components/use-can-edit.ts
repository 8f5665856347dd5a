import { useQuery } from '@tanstack/react-query';
import { memberQuery } from '../api/session.ts';

/** Whether who is signed in may change anything but what is their own. */
export const useMayChange = (): boolean => {
  const { data: member } = useQuery(memberQuery);
  return member !== undefined && member.role !== 'viewer';
};
