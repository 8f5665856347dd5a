import type { User } from './account.ts';
import type { UserId } from './ids.ts';

/** Value of the setting `operator`: the owner of the first account, a user by e-mail address, or no operator. */
export type OperatorSetting = 'first' | 'nobody' | (string & {});

/**
 * Whether a user with the configured address becomes the operator while none is recorded. Members choose addresses without proof, so an
 * address chosen by a member never counts.
 */
export const becomesOperator = (
  setting: OperatorSetting,
  { email, emailIsClaimed, role }: Pick<User, 'email' | 'emailIsClaimed' | 'role'>,
): boolean => email === setting && !emailIsClaimed && role === 'owner';

/** Whether this address is refused to a member, because it is the operator's and the member is not the recorded operator. */
export const isReservedEmail = (
  setting: OperatorSetting,
  email: string,
  { recorded, user }: { readonly recorded: UserId | undefined; readonly user: UserId | undefined },
): boolean => email === setting && (recorded === undefined || recorded !== user);
