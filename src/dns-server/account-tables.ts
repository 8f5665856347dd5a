import { createHash } from 'node:crypto';
import { trimMalloc } from '../platform/idle-gc.ts';
import { threadFile } from '../platform/thread-file.ts';
import { createWorkerPool } from '../platform/worker-pool.ts';
import type { ProfileTables } from '../resolver/identity/client-updates.ts';
import type { DirectoryAccount } from '../resolver/identity/directory.ts';
import type { RuleTable } from '../resolver/policy/table-from-rules.ts';
import { isRegexRuleText } from '../rules/regex/regex-rule.ts';
import { hasRegexRules, ownRulesOf } from './has-regex-rules.ts';

const MIB = 2 ** 20;
const MEMORY_BYTES = 256 * MIB;
const TIME_LIMIT_MS = 10_000;
const IDLE_MS = 3000;

export type RuleTableJob = { readonly rules: readonly string[] };

type Account = Pick<DirectoryAccount, 'id' | 'profiles'>;
type BuiltTable = { readonly sum: string; readonly table: RuleTable | undefined };

export type AccountTables = {
  /** Whether some of its rules take so long to compile that queries must not wait for them. */
  readonly areNeeded: (account: Account) => boolean;
  /** By profile id. Tables whose rules have not changed are the same objects as before. */
  readonly of: (account: Account) => Promise<ReadonlyMap<string, ProfileTables>>;
  readonly forget: (account: string) => void;
};

/** Builds the tables of rules with expressions in a separate thread, before the answering threads receive the rules. */
export function openAccountTables(secret: Uint8Array, onProblem: (problem: unknown) => void) {
  const pool = createWorkerPool<RuleTableJob, never, RuleTable>({
    // Works from source and from a bundle: see the entry points of the build.
    file: threadFile('dns-server/rule-table-worker'),
    workerData: secret,
    size: 1,
    memoryBytes: MEMORY_BYTES,
    timeLimitMs: TIME_LIMIT_MS,
    idleMs: IDLE_MS,
    onEnded: trimMalloc,
    maxWaiting: Infinity,
  });
  const built = new Map<string, ReadonlyMap<string, BuiltTable>>();

  /** Without a table the answering threads build one themselves and skip expressions beyond their own limit. */
  const build = async (account: string, rules: readonly string[]): Promise<RuleTable | undefined> => {
    const options = { client: account, signal: new AbortController().signal, onMessage: () => {} };
    try {
      return (await pool.run({ rules }, options)).outcome;
    } catch (error) {
      onProblem(error);
      return undefined;
    }
  };

  const of = async ({ id, profiles }: Account): Promise<ReadonlyMap<string, ProfileTables>> => {
    const before = built.get(id);
    const now = new Map<string, BuiltTable>();
    const tableOf = async (key: string, rules: readonly string[]): Promise<RuleTable | undefined> => {
      if (!rules.some(isRegexRuleText)) return undefined;
      const sum = createHash('sha256').update(rules.join('\n')).digest('base64');
      const previous = before?.get(key);
      const table = previous?.sum === sum && previous.table ? previous.table : await build(id, rules);
      now.set(key, { sum, table });
      return table;
    };
    const tables = new Map<string, ProfileTables>();
    for (const profile of profiles) {
      const { userRules, access } = ownRulesOf(profile.settings);
      const profileTables = {
        userRules: await tableOf(`${profile.id} user`, userRules),
        accessRules: await tableOf(`${profile.id} access`, access),
      };
      if (profileTables.userRules || profileTables.accessRules) tables.set(profile.id, profileTables);
    }
    if (now.size > 0) built.set(id, now);
    else built.delete(id);
    return tables;
  };

  return {
    areNeeded: hasRegexRules,
    of,
    forget: (account: string) => void built.delete(account),
    close: pool.close,
  };
}
