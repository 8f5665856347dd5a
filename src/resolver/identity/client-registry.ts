import type { Question } from '../../dns/question.ts';
import {
  EVERYBODY,
  epochSlot,
  type KnownLesson,
  type Naming,
  type ProfileTables,
} from '../../dns-server/thread-messages.ts';
import type { HumanId } from '../../domain/human-id.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { ProfileSettings } from '../../domain/profile.ts';
import type { Asked } from '../transport/listener.ts';
import { addressProof } from './address-proof.ts';
import type { Standing, Stands } from './client.ts';
import { DROP, LATER, STRANGER, THROTTLED_CLIENT } from './client.ts';
import { createDirectory, type DirectoryAccount, type KnownDevice, type KnownProfile } from './directory.ts';
import { type IdentifySettings, identify } from './identify.ts';
import { type IdentityThrottle, NO_CLAIM, THROTTLED } from './identity-throttle.ts';

type Known = KnownDevice | KnownProfile;

export type StandingsDeps = {
  readonly identify: IdentifySettings;
  readonly throttle: IdentityThrottle;
  readonly epochs: Int32Array;
  readonly ruleTablesOf: (settings: ProfileSettings) => ProfileTables;
  readonly useRuleTables: (settings: ProfileSettings, tables: ProfileTables) => void;
  readonly standing: (known: Pick<KnownLesson, 'who' | 'owner' | 'known'>) => Standing;
  /** Makes a device that has named itself; false when it may not be made. */
  readonly makeDevice: (account: AccountId, humanId: HumanId) => Promise<boolean>;
  readonly name: (naming: Naming) => void;
};

/** Who is who, and how each is answered: the whole of it, kept by the dns thread. */
export function createStandings(deps: StandingsDeps) {
  const directory = createDirectory();
  const standings = new WeakMap<object, Standing>();
  const numbers = new Map<string, number>();
  const versions = new WeakMap<object, number>();
  const underway = new Map<string, Promise<boolean>>();
  let lastVersion = 0;

  const numberOf = (known: Known): number => {
    const { profile, account } = known;
    const device = known.kind === 'device' ? known.device.id : undefined;
    const { ipLogEnabled } = profile.settings;
    const key = `${account.id} ${profile.id} ${device ?? ''} ${ipLogEnabled}`;
    const before = numbers.get(key);
    if (before !== undefined) return before;
    const who = numbers.size;
    numbers.set(key, who);
    deps.name({ kind: 'who', who, account: account.id, dnsServer: profile.id, device, ipLog: ipLogEnabled });
    return who;
  };

  const standingOf = (known: Known): Standing => {
    const key = known.kind === 'device' ? known.device : known.profile;
    const before = standings.get(key);
    if (before?.known.profile === known.profile && before.known.account === known.account) return before;
    const standing = deps.standing({ who: numberOf(known), owner: epochSlot(known.account.id), known });
    standings.set(key, standing);
    return standing;
  };

  const versionOf = (profile: object): number => {
    const version = versions.get(profile) ?? ++lastVersion;
    versions.set(profile, version);
    return version;
  };

  /** One attempt for all who come under the same name at once. */
  const makeOnce = (account: AccountId, humanId: HumanId): Promise<boolean> => {
    const key = `${humanId.profile} ${humanId.humanId}`;
    const making = underway.get(key) ?? deps.makeDevice(account, humanId).finally(() => underway.delete(key));
    underway.set(key, making);
    return making;
  };

  const standsNow = (asked: Asked, question: Question): Stands => {
    const claim = deps.throttle.begin(asked, question);
    if (claim === THROTTLED) return THROTTLED_CLIENT;
    const identity = identify(asked, question, directory, deps.identify);
    if (claim !== NO_CLAIM)
      deps.throttle.end(claim, asked, identity.kind === 'device' || identity.kind === 'unknown human id');
    if (identity.kind === 'device' || identity.kind === 'guest') return standingOf(identity);
    if (identity.kind === 'unknown human id') return LATER;
    return identity.kind === 'drop' ? DROP : STRANGER;
  };

  return {
    standsNow,
    standsLater: async (asked: Asked, question: Question): Promise<Stands> => {
      const now = standsNow(asked, question);
      if (now.kind !== 'later') return now;
      const identity = identify(asked, question, directory, deps.identify);
      if (identity.kind !== 'unknown human id') return STRANGER;
      const isMade = await makeOnce(identity.account.id, identity.humanId);
      const after = isMade ? standsNow(asked, question) : STRANGER;
      return after.kind === 'later' ? STRANGER : after;
    },
    /** The accounts as they are now; what udp threads know of them, and of whoever they took them for, ends with it. */
    replace(
      accounts: readonly DirectoryAccount[],
      removed: readonly string[],
      ruleTables: ReadonlyMap<string, ProfileTables>,
    ): void {
      for (const account of accounts) directory.replace(account);
      for (const [id, tables] of ruleTables) {
        const known = directory.profile(id);
        if (known) deps.useRuleTables(known.profile.settings, tables);
      }
      for (const id of removed) directory.remove(id as DirectoryAccount['id']);
      for (const id of [...accounts.map((account) => account.id), ...removed])
        Atomics.add(deps.epochs, epochSlot(id), 1);
      Atomics.add(deps.epochs, EVERYBODY, 1);
    },
    /** What a udp thread must know to answer this client itself. */
    lesson(
      stands: Stands,
    ): { readonly stands: KnownLesson | { kind: 'stranger' } | { kind: 'drop' }; readonly slot: number } | undefined {
      if (stands.kind === 'later' || stands === THROTTLED_CLIENT) return undefined;
      if (stands.kind !== 'known') return { stands: { kind: stands.kind }, slot: EVERYBODY };
      const { who, owner, known } = stands;
      const ruleTables = deps.ruleTablesOf(known.profile.settings);
      return {
        stands: { kind: 'known', who, owner, known, profileVersion: versionOf(known.profile), ruleTables },
        slot: epochSlot(known.account.id),
      };
    },
    /** Result of a query for a proof name. */
    addressProof: (asked: Asked, question: Question) => addressProof(asked, question, directory),
    /** As if this device, or somebody without one, asked by this profile. */
    standingIn(profile: string, device: string | undefined): Standing | undefined {
      const known = device === undefined ? directory.profile(profile) : directory.byId(device);
      return known?.profile.id === profile ? standingOf(known) : undefined;
    },
    size: directory.size,
  };
}

export type Standings = ReturnType<typeof createStandings>;
