import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Caller } from '../../src/api/authenticate.ts';
import { fieldCheck } from '../../src/api/check.ts';
import type { Deps } from '../../src/api/deps.ts';
import type { ApiError } from '../../src/api/errors.ts';
import type { Operation } from '../../src/api/operation.ts';
import { logPageText } from '../../src/api/wire/log-page.ts';
import type { Role } from '../../src/domain/account.ts';
import type { KeyId } from '../../src/domain/ids.ts';
import type { Transaction } from '../../src/domain/repositories.ts';
import type { Result } from '../../src/kit/result.ts';
import { ok } from '../../src/kit/result.ts';
import type { AuditNote } from '../../src/operations/audit-entry.ts';
import { transact } from '../../src/operations/transact.ts';
import { type LogStore, openLog } from '../../src/query-log/index.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { temporaryFolder } from './app/temporary-folder.ts';
import { managementDeps, NOW, PASSWORD } from './management.ts';
import { accountNamed, hex8, profileNumber, userNamed } from './store/accounts.ts';

type Input = { readonly params?: object; readonly query?: object; readonly body?: unknown };

/** The JSON of a response, and the audit note of a mutation. */
type Called = { readonly reply: ReturnType<JSON['parse']>; readonly audit: AuditNote | undefined };

export type Api = {
  readonly deps: Deps;
  readonly store: Store;
  readonly log: LogStore;
  readonly clock: { now: number };
  /** Creates an account with an owner, whose password is `PASSWORD`, and a DNS server. */
  readonly account: (word: string) => Promise<Caller & { readonly server: string }>;
  /** Checks the input by its schema and calls the handler of the operation, a mutation in a transaction. */
  readonly call: (operationId: string, caller: Caller, input?: Input) => Promise<Result<Called, ApiError>>;
  /** The same for an operation without authentication. */
  readonly callPublic: (operationId: string, input?: Input) => Promise<Result<ReturnType<JSON['parse']>, ApiError>>;
  /** The same as `call`, for calls that must succeed. */
  readonly done: (operationId: string, caller: Caller, input?: Input) => Promise<Called>;
};

/** Operations of the API as functions on a store and a log in SQLite, without HTTP. */
export async function openApi(
  t: { after(end: () => unknown): void },
  operations: readonly Operation[],
  given: Partial<Deps> = {},
): Promise<Api> {
  const folder = await temporaryFolder(t);
  const clock = { now: NOW };
  const now = (): number => clock.now;
  const store = await openStore({ folder: join(folder, 'settings') });
  const log = await openLog(
    { folder: join(folder, 'log') },
    { now, onProblem: (problem) => assert.fail(String(problem)) },
  );
  t.after(async () => {
    await log.close();
    await store.close();
  });
  const pageJson: Deps['log']['pageJson'] = async (...asked) => logPageText(await log.page(...asked));
  const deps: Deps = { ...managementDeps(now), store, log: { ...log, pageJson }, ...given };
  let accounts = 0;
  const account: Api['account'] = async (word) => {
    const server = hex8(++accounts);
    const owner = userNamed(word, { passwordHash: await deps.passwords.hash(PASSWORD, '') });
    await store.inTransaction((transaction) =>
      transaction.accounts.create({
        account: accountNamed(word, { plan: 'default' }),
        owner,
        profile: profileNumber(accounts, word, { isDefault: true, name: 'Default' }),
      }),
    );
    return { ...callerOf(owner), server };
  };
  const checkedInput = (operationId: string, { params = {}, ...given }: Input) => {
    const operation = operations.find((each) => each.operationId === operationId) ?? assert.fail(operationId);
    const query = operation.query ? fieldCheck(operation.query)(given.query ?? {}) : ok({});
    const body = operation.body ? fieldCheck(operation.body)(given.body) : ok(undefined);
    if (!query.ok) return query;
    if (!body.ok) return body;
    const from = '192.0.2.1';
    const input = { params, query: query.value, body: body.value, from, address: from };
    return ok({ handler: operation.handler, input });
  };
  const callPublic: Api['callPublic'] = async (operationId, input = {}) => {
    const checked = checkedInput(operationId, input);
    if (!checked.ok) return checked;
    const { handler } = checked.value;
    if (handler.kind !== 'public') return assert.fail(`${operationId} has a caller`);
    const result = await handler.run(deps, { ...checked.value.input, authorization: [] } as never);
    return result.ok ? ok(jsonOf(result.value)) : result;
  };
  const call: Api['call'] = async (operationId, caller, input = {}) => {
    const checked = checkedInput(operationId, input);
    if (!checked.ok) return checked;
    const { handler } = checked.value;
    const whole = { ...checked.value.input, caller } as never;
    if (handler.kind === 'public') return assert.fail(`${operationId} has no caller`);
    if (handler.kind === 'query') {
      const result = await handler.run(store.read, whole, deps);
      return result.ok ? ok({ reply: jsonOf(result.value), audit: undefined }) : result;
    }
    const prepared = await handler.prepare?.(deps, whole);
    if (prepared?.ok === false) return prepared;
    const work = async (transaction: Transaction): Promise<Result<Called, ApiError>> => {
      const result = await handler.run(transaction, whole, deps, prepared?.value as never);
      return result.ok ? ok({ reply: jsonOf(result.value.reply), audit: result.value.audit }) : result;
    };
    return handler.commitsErrors ? store.inTransaction(work) : transact(store, work);
  };
  const done: Api['done'] = async (...asked) => {
    const result = await call(...asked);
    assert.ok(result.ok, JSON.stringify(!result.ok && result.error));
    return result.value;
  };
  return { deps, store, log, clock, account, call, callPublic, done };
}

/** A reply, or the text of one that is already serialised; undefined if that is empty. */
function jsonOf(reply: unknown): ReturnType<JSON['parse']> {
  if (typeof reply !== 'object' || reply === null || !('content' in reply)) return reply;
  const text = String(reply.content);
  return text === '' ? undefined : JSON.parse(text);
}

const callerOf = ({ account, id, email, role }: ReturnType<typeof userNamed>): Caller => ({
  account,
  user: id,
  email,
  role: role as Role,
  by: email,
  session: undefined,
  with: { key: 'key' as KeyId },
});
