import { useQuery } from '@tanstack/react-query';
import { memberQuery } from '../api/session.ts';

/** Whether the signed-in member may change the account; viewers may not. */
export const useCanEdit = (): boolean => {
  const { data: member } = useQuery(memberQuery);
  return member !== undefined && member.role !== 'viewer';
};
