import type { Role } from '../../api/account-wire.ts';
import type { Member } from '../../api/wire.ts';

/** Highest rank first. */
const roles = ['owner', 'admin', 'viewer'] as const satisfies readonly Role[];

const rankOf = (role: Role): number => roles.length - roles.indexOf(role);

/** Members can assign roles up to their own. */
export const assignableRoles = (self: Role): readonly Role[] => roles.filter((role) => rankOf(role) <= rankOf(self));

/** Members cannot change their own role, so that no account loses its last owner by mistake. */
export const canManage = (self: Member, member: Member): boolean =>
  self.role !== 'viewer' && self.id !== member.id && rankOf(member.role) <= rankOf(self.role);
