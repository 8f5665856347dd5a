import { type AccountUse, useOf } from '../filter-lists/lists-in-use.ts';
import type { DirectoryAccount } from '../resolver/identity/directory.ts';
import { type FeedAccount, toDirectoryAccount, withDefaults } from './feed-account.ts';
import { hasRegexRules } from './has-regex-rules.ts';

/*
 * Accounts as lines of JSON. Many accounts reach the resolver thread in this form: the memory moves to it without a copy, and an account
 * that no client uses stays as it is.
 */
const LINE_END = 0x0a;

/** The lists that the accounts of some lines use. Most accounts use the same ones. */
export type LineUses = {
  readonly ids: readonly string[];
  /** Indexes of `uses`, for each id. */
  readonly useOfId: readonly number[];
  readonly uses: readonly AccountUse[];
  /** Accounts with rules that are compiled before queries may wait for them. */
  readonly heavy: readonly string[];
};

export function accountLines(accounts: readonly FeedAccount[]): Uint8Array<ArrayBuffer> {
  const text = accounts.map((account) => `${JSON.stringify(account)}\n`).join('');
  const lines = new Uint8Array(Buffer.byteLength(text));
  Buffer.from(lines.buffer).write(text);
  return lines;
}

type Read = readonly [DirectoryAccount, read: () => DirectoryAccount];

export function readAccountLines(lines: Uint8Array<ArrayBuffer>, skipped: ReadonlySet<string>) {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  const accounts: Read[] = [];
  const useOfId: number[] = [];
  const uses = new Map<string, { readonly index: number; readonly use: AccountUse }>();
  const heavy: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(LINE_END, from);
    const account = parse(bytes, from, to);
    if (!skipped.has(account.id)) {
      accounts.push([toDirectoryAccount(account), reader(bytes, from, to)]);
      const use = useOf({ ...account, profiles: account.profiles.map(({ settings }) => settings) });
      const key = JSON.stringify(use);
      const known = uses.get(key) ?? { index: uses.size, use };
      uses.set(key, known);
      useOfId.push(known.index);
      if (hasRegexRules(account)) heavy.push(account.id);
    }
    from = to + 1;
  }
  const summary: LineUses = {
    ids: accounts.map(([{ id }]) => id),
    useOfId,
    uses: Array.from(uses.values(), ({ use }) => use),
    heavy,
  };
  return { accounts, summary };
}

const parse = (bytes: Buffer, from: number, to: number): FeedAccount =>
  withDefaults(JSON.parse(bytes.toString('utf8', from, to)) as FeedAccount);

/** A function of its own, so that it references the bytes only. */
const reader = (bytes: Buffer, from: number, to: number) => (): DirectoryAccount =>
  toDirectoryAccount(parse(bytes, from, to));
