import { type ForwardRule, forwardRulesOf } from '../../domain/forward-rules.ts';
import type { LocalRecord } from '../../domain/local-records.ts';
import type { ProfileExtensions } from '../../domain/profile-extensions.ts';
import type { DirectoryAccount, KnownDevice, KnownProfile } from '../identity/directory.ts';
import { shareEqual } from '../identity/structural-sharing.ts';
import { compileLocalNames, type FilteredLocalNames } from './local-names.ts';
import { compileRecords, type RecordTable } from './record-table.ts';

type Account = Pick<DirectoryAccount, 'id' | 'localRecords' | 'forwardRules'>;
type Compiled = { readonly extensions: ProfileExtensions; readonly names: FilteredLocalNames | undefined };

type AccountNames = {
  readonly records: readonly LocalRecord[];
  readonly rules: readonly ForwardRule[];
  /** Compiled when the first client needs it. */
  shared: RecordTable | undefined;
  readonly byProfile: Map<string, Compiled>;
};

const newAccountNames = (records: readonly LocalRecord[] = [], rules: readonly ForwardRule[] = []): AccountNames => ({
  records,
  rules,
  shared: undefined,
  byProfile: new Map(),
});

/** Local names of all accounts, in the resolver thread. They are recompiled only when they change. */
export function createLocalNameRegistry(secret: Uint8Array) {
  const accounts = new Map<string, AccountNames>();

  const compile = (ofAccount: AccountNames, profile: string, { searchDomains, dns64 }: ProfileExtensions) => {
    const ofProfile = ofAccount.records.filter((record) => record.profile === profile);
    ofAccount.shared ??= compileRecords(ofAccount.records.filter((record) => record.profile === undefined));
    return compileLocalNames({
      tables: ofProfile.length > 0 ? [compileRecords(ofProfile), ofAccount.shared] : [ofAccount.shared],
      rules: forwardRulesOf(ofAccount.rules, profile),
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
      else accounts.set(id, newAccountNames(records, rules));
    },
    remove: (account: string): void => void accounts.delete(account),
    /** Undefined if no name is local for the client. */
    of: ({ account, profile }: KnownDevice | KnownProfile): FilteredLocalNames | undefined => {
      const { own: extensions } = profile.settings;
      const hasSettings = extensions.searchDomains.length > 0 || extensions.dns64 !== undefined;
      const ofAccount = accounts.get(account.id) ?? (hasSettings ? newAccountNames() : undefined);
      if (!ofAccount) return undefined;
      accounts.set(account.id, ofAccount);
      const before = ofAccount.byProfile.get(profile.id);
      if (before?.extensions === extensions) return before.names;
      const names = compile(ofAccount, profile.id, extensions);
      ofAccount.byProfile.set(profile.id, { extensions, names });
      return names;
    },
  };
}

export type LocalNameRegistry = ReturnType<typeof createLocalNameRegistry>;
