import Type from 'typebox';
import type { User } from '../domain/account.ts';
import { changeRole, removeMember } from '../domain/account-rules.ts';
import { changed } from '../domain/audit.ts';
import type { Transaction } from '../domain/repositories.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Caller } from './authenticate.ts';
import type { ApiError } from './errors.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { mutation, type Operation, query } from './operation.ts';
import { object } from './wire/named.ts';
import { Member, memberToWire, Role } from './wire/people.ts';

const group = 'Members';
const MemberParams = Type.Object({ member_id: Type.String() });
const MemberUpdate = object('MemberUpdate', 'Member update.', { role: Role });

type Parties = { readonly by: User; readonly member: User; readonly owners: number };

async function partiesOf(store: Transaction, caller: Caller, memberId: string): Promise<Result<Parties, ApiError>> {
  const members = await store.users.members(caller.account);
  const by = members.find(({ id }) => id === caller.user);
  const member = members.find(({ id }) => id === memberId);
  const owners = members.filter(({ role }) => role === 'owner').length;
  return by && member ? ok({ by, member, owners }) : err({ kind: 'not found', what: 'member' });
}

export const memberOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/members',
    operationId: 'listMembers',
    group,
    summary: 'List members',
    description: 'All users of the account with their roles.',
    query: Type.Object(listParameters),
    reply: Type.Array(Member),
    replyHeaders: listHeaders,
    responseDescription: 'The members.',
    errors: [400],
    run: async (store, { caller, query }) =>
      pageOfList((await store.users.members(caller.account)).map(memberToWire), query, ({ id }) => id),
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/members/:member_id',
    operationId: 'updateMember',
    group,
    summary: 'Change the role of a member',
    description: 'Members cannot grant a role above their own. The last owner keeps the role.',
    requires: 'manager',
    params: MemberParams,
    body: MemberUpdate,
    responseDescription: 'Role changed; it applies from the next request on.',
    errors: [400, 404],
    run: async (store, { caller, params, body }) => {
      const parties = await partiesOf(store, caller, params.member_id);
      if (!parties.ok) return parties;
      const { by, member, owners } = parties.value;
      const updated = changeRole(by, member, body.role, owners);
      if (!updated.ok) return updated;
      await store.users.update(updated.value);
      return ok({
        reply: undefined,
        audit: { action: 'member.update', subject: member.id, ...changed({ role: member.role }, { role: body.role }) },
      });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/members/:member_id',
    operationId: 'removeMember',
    group,
    summary: 'Remove a member',
    description:
      'Also revokes their API keys and tokens. Members can remove themselves; the last owner cannot be removed.',
    requires: 'self',
    params: MemberParams,
    responseDescription: 'Member removed.',
    errors: [404],
    run: async (store, { caller, params }) => {
      const parties = await partiesOf(store, caller, params.member_id);
      if (!parties.ok) return parties;
      const { by, member, owners } = parties.value;
      const allowed = removeMember(by, member, owners);
      if (!allowed.ok) return allowed;
      await store.users.remove(caller.account, member.id);
      const before = { email: member.email, role: member.role };
      return ok({ reply: undefined, audit: { action: 'member.remove', subject: member.id, before } });
    },
  }),
];
