import type { ManagedList } from './managed-list.ts';

/** Concurrent downloads: lists of the operator, lists of all accounts together, and lists of one account. */
const CATALOGUE_AT_ONCE = 2;
const ACCOUNTS_AT_ONCE = 8;
const ACCOUNT_AT_ONCE = 2;

type Checkable = Pick<ManagedList, 'isChecking' | 'dueAt' | 'hasVersion' | 'account'>;

/**
 * Selects the lists to check now. Lists of the operator have separate slots. The next slot of accounts goes to the account with the fewest
 * downloads, then to the one that was served least recently, so that many lists of one account delay only each other. Within an account,
 * lists without any version come first, then those that are due the longest.
 */
export function nextToCheck<List extends Checkable>(
  lists: readonly List[],
  now: number,
  servedAt: ReadonlyMap<string, number>,
): readonly List[] {
  const checking = lists.filter((list) => list.isChecking());
  const due = lists
    .filter((list) => !list.isChecking() && list.dueAt() <= now)
    .toSorted((a, b) => Number(a.hasVersion()) - Number(b.hasVersion()) || a.dueAt() - b.dueAt());
  const isCatalogue = (list: List): boolean => list.account() === undefined;
  const freeForCatalogue = CATALOGUE_AT_ONCE - checking.filter(isCatalogue).length;
  return [
    ...due.filter(isCatalogue).slice(0, Math.max(0, freeForCatalogue)),
    ...nextOfAccounts(due, checking, servedAt),
  ];
}

type Account<List> = { readonly due: List[]; running: number; readonly servedAt: number };

function nextOfAccounts<List extends Checkable>(
  due: readonly List[],
  checking: readonly List[],
  servedAt: ReadonlyMap<string, number>,
): List[] {
  const running = new Map<string, number>();
  for (const list of checking) {
    const account = list.account();
    if (account !== undefined) running.set(account, (running.get(account) ?? 0) + 1);
  }
  const accounts = new Map<string, Account<List>>();
  for (const list of due) {
    const account = list.account();
    if (account === undefined) continue;
    const found: Account<List> = accounts.get(account) ?? {
      due: [],
      running: running.get(account) ?? 0,
      servedAt: servedAt.get(account) ?? -Infinity,
    };
    accounts.set(account, found);
    found.due.push(list);
  }
  const chosen: List[] = [];
  let free = ACCOUNTS_AT_ONCE - running.values().reduce((sum, count) => sum + count, 0);
  for (; free > 0; free--) {
    const next = accounts
      .values()
      .filter((account) => account.due.length > 0 && account.running < ACCOUNT_AT_ONCE)
      .reduce<Account<List> | undefined>((best, one) => (best && compareTurns(best, one) <= 0 ? best : one), undefined);
    if (!next) break;
    chosen.push(next.due.shift()!);
    next.running++;
  }
  return chosen;
}

type Turn = Pick<Account<unknown>, 'running' | 'servedAt'>;

const compareTurns = (a: Turn, b: Turn): number =>
  a.running - b.running || (a.servedAt < b.servedAt ? -1 : a.servedAt > b.servedAt ? 1 : 0);
