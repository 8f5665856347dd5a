import { type AccountUse, useOf } from '../filter-lists/lists-in-use.ts';
import { jsonLine } from '../kit/json-lines.ts';
import {
  type AccountBlock,
  type BlockLine,
  HAS_NO_LOG,
  HAS_REGEX_RULES,
  type IndexEntry,
  type IndexedLine,
  keyOf,
  lineText,
  MAX_TAG,
  READ_AT_ONCE,
  readIndex,
  writeBlock,
} from '../resolver/identity/account-block.ts';
import { type DirectoryAccount, isIdentifiedByIds } from '../resolver/identity/directory.ts';
import { type FeedAccount, toDirectoryAccount, withDefaults } from './feed-account.ts';
import { hasRegexRules } from './has-regex-rules.ts';

/** A block with the lists that its accounts use: the tag of an account is a number of `uses`, or `NO_USE`. */
export type FeedBlock = AccountBlock & { readonly uses: readonly AccountUse[] };

/** Accounts with custom lists: their use contains the lists, so it is read from the line. */
const NO_USE = MAX_TAG;
const LINE_END = 0x0a;

/** Collects the accounts of a block. */
export function blockBuilder() {
  const lines: BlockLine[] = [];
  const uses = new Map<string, number>();
  const all: AccountUse[] = [];
  const tagOf = (use: AccountUse): number => {
    if (use.customIds.length > 0) return NO_USE;
    const key = `${use.filterLists.join(' ')}\n${use.safety.join()}`;
    const tag = uses.get(key) ?? (all.length < NO_USE ? all.push(use) - 1 : NO_USE);
    uses.set(key, tag);
    return tag;
  };
  return {
    add: (id: string, line: string, use: AccountUse, entry: Omit<IndexEntry, 'tag'>): void => {
      lines.push({ id, line, entry: { ...entry, tag: tagOf(use) } });
    },
    block: (): FeedBlock => ({ ...writeBlock(lines), uses: all }),
  };
}

export function blockOf(accounts: readonly FeedAccount[]): FeedBlock {
  const builder = blockBuilder();
  for (const account of accounts) {
    const { id, ...others } = account;
    // The id must be first.
    builder.add(id, jsonLine({ id, ...others }), accountUse(account), entryOf(account));
  }
  return builder.block();
}

export async function* blocksOf(accounts: AsyncIterable<readonly FeedAccount[]>): AsyncGenerator<FeedBlock> {
  for await (const some of accounts) yield blockOf(some);
}

const accountUse = (account: FeedAccount): AccountUse =>
  useOf({ ...account, profiles: account.profiles.map(({ settings }) => settings) });

const entryOf = (account: FeedAccount): Omit<IndexEntry, 'tag'> => ({
  flags:
    (isIdentifiedByIds(account) ? 0 : READ_AT_ONCE) |
    (hasRegexRules(account) ? HAS_REGEX_RULES : 0) |
    (account.logEnabled ? 0 : HAS_NO_LOG),
  devices: account.devices.length,
  keys: [
    ...account.profiles.map(({ id }) => keyOf(id)),
    ...account.devices.map(({ id }) => keyOf(id)),
    ...account.devices.flatMap(({ addressSuffix }) => (addressSuffix === undefined ? [] : [keyOf(addressSuffix)])),
  ],
});

/** Lines without an index, for example of a snapshot that an older version has written. */
export function indexed(lines: Uint8Array): FeedBlock {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.length);
  const accounts: FeedAccount[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(LINE_END, from);
    accounts.push(parseLine(bytes.toString('utf8', from, to)));
    from = to + 1;
  }
  return blockOf(accounts);
}

export const parseLine = (line: string): FeedAccount => withDefaults(JSON.parse(line) as FeedAccount);

/** The account of a line, without the data that only the main thread needs. */
export const parseDirectoryAccount = (line: string): DirectoryAccount => toDirectoryAccount(parseLine(line));

export const accountsIn = (block: FeedBlock): FeedAccount[] =>
  readIndex(block).map((account) => parseLine(lineText(block, account)));

export const useIn = (block: FeedBlock, account: IndexedLine): AccountUse =>
  account.tag === NO_USE ? accountUse(parseLine(lineText(block, account))) : block.uses[account.tag]!;
