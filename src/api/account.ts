import Type, { type Static } from 'typebox';
import { updateAccount } from '../domain/account-rules.ts';
import { changed } from '../domain/audit.ts';
import { invalid } from '../domain/domain-error.ts';
import { err, ok } from '../kit/result.ts';
import { findAccount } from '../operations/find-account.ts';
import { usageOf } from './account-limits.ts';
import { listHeaders, nextCursor } from './list-pages.ts';
import { mutation, type Operation, query } from './operation.ts';
import { limitsToWire } from './wire/limits.ts';
import { int32 } from './wire/named.ts';
import { Account, AccountUpdate, AuditPage, accountToWire, auditToWire } from './wire/people.ts';

const group = 'Account';
const DEFAULT_LIMIT = 50;

/** Position of the last entry of the previous page, and the number of the next page. */
type Place = { readonly at: number; readonly id: string; readonly page: number };

const cursorOf = ({ at, id, page }: Place): string => `${at}:${id}:${page}`;

function parseCursor(text: string): Place | undefined {
  const [, at = '', id = '', page = ''] = /^(\d{1,15}):([\w-]{1,64}):([1-9]\d{0,5})$/.exec(text) ?? [];
  return at === '' ? undefined : { at: Number(at), id, page: Number(page) };
}

export const accountOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/account',
    operationId: 'getAccount',
    group,
    summary: 'Get the account with its plan and settings',
    description: 'The account of the credentials: plan, time zone, log retention and limits.',
    reply: Account,
    responseDescription: 'The account.',
    run: async (store, { caller }, deps) => {
      const limits = limitsToWire(await usageOf(store, caller.account, deps));
      return ok(accountToWire(await findAccount(store, caller.account), limits));
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/account',
    operationId: 'updateAccount',
    group,
    summary: 'Update account settings',
    description: 'Fields that are not given stay unchanged.',
    body: AccountUpdate,
    responseDescription: 'Settings updated.',
    errors: [400],
    run: async (store, { caller, body }) => {
      const account = await findAccount(store, caller.account);
      const updated = updateAccount(account, {
        timeZone: body.time_zone,
        logRetentionDays: body.log_retention_days,
        logEnabled: body.log_enabled,
      });
      if (!updated.ok) return updated;
      await store.accounts.update(updated.value);
      const audit = { action: 'account.update', subject: account.id, ...changed(account, updated.value) };
      return ok({ reply: undefined, audit });
    },
  }),
  query({
    method: 'GET',
    path: '/api/v1/audit',
    operationId: 'listAudit',
    group,
    summary: 'List audit log entries',
    description:
      'Each entry has time, author, client address and the values before and after a change. Secrets are not included.',
    requires: 'manager',
    query: Type.Object({
      limit: Type.Optional(int32({ minimum: 1, maximum: 1000, default: DEFAULT_LIMIT })),
      cursor: Type.Optional(Type.String({ maxLength: 100, description: 'The `page_cursor` of a previous response.' })),
    }),
    reply: AuditPage,
    replyHeaders: listHeaders,
    responseDescription: 'Audit log entries, newest first.',
    errors: [400],
    run: async (store, { caller, query: { limit = DEFAULT_LIMIT, cursor } }) => {
      const before = cursor === undefined ? undefined : parseCursor(cursor);
      if (cursor !== undefined && !before) return err(invalid('cursor', 'is not a valid cursor'));
      const found = await store.audit.list(caller.account, { before, limit: limit + 1 });
      const items = found.slice(0, limit);
      const last = items.at(-1);
      const page = (before?.page ?? 1) + 1;
      const next = found.length > limit && last ? cursorOf({ ...last, page }) : undefined;
      const content: Static<typeof AuditPage> = {
        items: items.map(auditToWire),
        ...(next && { next_cursor: next }),
        navigation: next ? { next: { page_cursor: next, page_number: page } } : {},
      };
      return ok({
        headers: { 'content-type': 'application/json', ...nextCursor(next) },
        content: JSON.stringify(content),
      });
    },
  }),
];
