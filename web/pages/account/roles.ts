import type { Role } from '../../api/account-wire.ts';
import type { Member } from '../../api/wire.ts';

/** From the most to the least. */
const roles = ['owner', 'admin', 'viewer'] as const satisfies readonly Role[];

const rankOf = (role: Role): number => roles.length - roles.indexOf(role);

/** Nobody gives more than they have. */
export const rolesToGive = (own: Role): readonly Role[] => roles.filter((role) => rankOf(role) <= rankOf(own));

/** From above or beside; one's own role is changed by others, so that nobody locks themselves out. */
export const mayManage = (own: Member, member: Member): boolean =>
  own.role !== 'viewer' && own.id !== member.id && rankOf(member.role) <= rankOf(own.role);
