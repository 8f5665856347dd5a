import { type ForwardRule, forwardRulesOf } from '../../domain/forward-rules.ts';
import type { LocalRecord } from '../../domain/local-records.ts';
import type { OwnSettings } from '../../domain/profile-extensions.ts';
import type { DirectoryAccount, KnownDevice, KnownProfile } from '../identity/directory.ts';
import { shareEqual } from '../identity/structural-sharing.ts';
import { compileLocalNames, type FilteredLocalNames } from './local-names.ts';
import { compileRecords, type RecordTable } from './record-table.ts';

type Account = Pick<DirectoryAccount, 'id' | 'localRecords' | 'forwardRules'>;
type Compiled = { readonly own: OwnSettings; readonly names: FilteredLocalNames | undefined };

type Held = {
  readonly records: readonly LocalRecord[];
  readonly rules: readonly ForwardRule[];
  /** Compiled when the first client needs it. */
  shared: RecordTable | undefined;
  readonly byProfile: Map<string, Compiled>;
};

const newHeld = (records: readonly LocalRecord[] = [], rules: readonly ForwardRule[] = []): Held => ({
  records,
  rules,
  shared: undefined,
  byProfile: new Map(),
});

/** Local names of all accounts, in the resolver thread. They are compiled again only when they change. */
export function createLocalNameRegistry(secret: Uint8Array) {
  const accounts = new Map<string, Held>();

  const compile = (held: Held, profile: string, { searchDomains, dns64 }: OwnSettings) => {
    const own = held.records.filter((record) => record.profile === profile);
    held.shared ??= compileRecords(held.records.filter((record) => record.profile === undefined));
    return compileLocalNames({
      tables: own.length > 0 ? [compileRecords(own), held.shared] : [held.shared],
      rules: forwardRulesOf(held.rules, profile),
      searchDomains,
      dns64Prefix: dns64?.prefix,
      secret,
    });
  };

  return {
    replace({ id, localRecords = [], forwardRules = [] }: Account): void {
      const before = accounts.get(id);
      const records = shareEqual(before?.records, localRecords);
      const rules = shareEqual(before?.rules, forwardRules);
      if (before?.records === records && before.rules === rules) return;
      if (records.length + rules.length === 0) accounts.delete(id);
      else accounts.set(id, newHeld(records, rules));
    },
    remove: (account: string): void => void accounts.delete(account),
    /** Undefined if no name is local for the client. */
    of: ({ account, profile }: KnownDevice | KnownProfile): FilteredLocalNames | undefined => {
      const { own } = profile.settings;
      const hasSettings = own.searchDomains.length > 0 || own.dns64 !== undefined;
      const held = accounts.get(account.id) ?? (hasSettings ? newHeld() : undefined);
      if (!held) return undefined;
      accounts.set(account.id, held);
      const before = held.byProfile.get(profile.id);
      if (before?.own === own) return before.names;
      const names = compile(held, profile.id, own);
      held.byProfile.set(profile.id, { own, names });
      return names;
    },
  };
}

export type LocalNameRegistry = ReturnType<typeof createLocalNameRegistry>;
