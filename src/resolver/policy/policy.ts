import { isTimeZone } from '../../domain/local-time.ts';
import type { Profile, ProfileSettings } from '../../domain/profile.ts';
import { isPaused, localTime } from '../../domain/schedule.ts';
import { nextEnd, rulesStillIn } from '../../domain/temporary-rules.ts';
import type { ListTable } from '../../engine/list-table.ts';
import { composeProfile, type EngineProfile } from '../../engine/match/profile.ts';
import type { SourceName } from '../../engine/sources.ts';
import { MINUTE_MS } from '../../kit/durations.ts';
import type { KnownAccount } from '../identity/directory.ts';
import { type Blocking, blockingOf, safeBrowsingBlockingOf } from './blocking.ts';
import { type Makers, type Section, sections, type Wanted } from './policy-sources.ts';
import { type RuleTables, tableFromRules } from './table-from-rules.ts';

type SourceTables = { readonly source: SourceName; readonly tables: readonly ListTable[] };

/** The engine profile and its tables. Another thread can recreate it from the buffers of the tables. */
export type Composition = {
  readonly name: 'full' | 'parental paused' | 'paused' | 'off';
  readonly sources: readonly SourceTables[];
  readonly profile: EngineProfile;
};

/** Settings of a profile, compiled for answering queries. */
export type Policy = {
  readonly full: Composition;
  readonly parentalPaused: Composition;
  readonly off: Composition;
  readonly isProtected: boolean;
  /** Epoch milliseconds; in the past while protection is not paused. */
  readonly pausedUntil: number;
  /** Schedule state in the time zone of the account; recomputed when the minute changes. */
  readonly isPaused: (nowMs: number) => boolean;
  readonly blocking: Blocking;
  readonly safeBrowsingBlocking: Blocking;
  /** Lists that the profile uses and that are not loaded. */
  readonly missing: readonly string[];
};

/** The switch and the pause of a device; unknown clients count as protected. */
export type DeviceProtection = { readonly isProtected: boolean; readonly pausedUntil: number };

/** The composition for a query of the device at this time. */
export function compositionNow(policy: Policy, device: DeviceProtection, nowMs: number): Composition {
  if (!policy.isProtected || !device.isProtected) return policy.off;
  if (nowMs < policy.pausedUntil || nowMs < device.pausedUntil) return PAUSED;
  return policy.isPaused(nowMs) ? policy.parentalPaused : policy.full;
}

type Known = { readonly profile: Profile; readonly account: Pick<KnownAccount, 'id' | 'timeZone'> };

export type Policies = {
  readonly of: (identity: Known) => Policy;
  /** Call this after the tables have changed; policies are then recompiled on their next use. */
  readonly listsChanged: () => void;
  /** Call this after a table for these rules was received, which replaces the one built in this thread. */
  readonly rulesChanged: (rules: readonly string[]) => void;
};

export type PolicyDeps = Omit<Makers, 'userTable' | 'temporaryRules'> & {
  readonly secret: Uint8Array;
  readonly ruleTables?: RuleTables | undefined;
  readonly onCompiled?: ((profile: Profile, policy: Policy) => void) | undefined;
  readonly wallMs: () => number;
};

/** `until`: time when its first temporary rule expires. */
type CompiledPolicy = { readonly timeZone: string; readonly until: number; readonly policy: Policy };

export function createPolicies(deps: PolicyDeps): Policies {
  let compiled = new WeakMap<Profile, CompiledPolicy>();
  // Keyed by the array of rules, which stays the same object while the rules do not change.
  const userTables = new WeakMap<readonly string[], ListTable | undefined>();
  const userTableOf =
    (account: string) =>
    (rules: readonly string[]): ListTable | undefined => {
      if (!userTables.has(rules))
        userTables.set(rules, tableFromRules('custom', rules, deps.secret, { tables: deps.ruleTables, account }));
      return userTables.get(rules);
    };
  return {
    of({ profile, account: { id, timeZone } }) {
      const cached = compiled.get(profile);
      if (cached?.timeZone === timeZone && (cached.until === Infinity || deps.wallMs() < cached.until))
        return cached.policy;
      const rules = rulesStillIn(profile.settings.own, deps.wallMs());
      const temporaryRules = rules.map(({ rule }) => rule);
      const policy = policyOf(profile.settings, timeZone, { ...deps, userTable: userTableOf(id), temporaryRules });
      deps.onCompiled?.(profile, policy);
      compiled.set(profile, { timeZone, until: nextEnd(rules), policy });
      return policy;
    },
    listsChanged() {
      compiled = new WeakMap();
    },
    rulesChanged(rules) {
      if (userTables.delete(rules)) compiled = new WeakMap();
    },
  };
}

const OFF: Composition = { name: 'off', sources: [], profile: composeProfile([]) };
const PAUSED: Composition = { ...OFF, name: 'paused' };

function policyOf(settings: ProfileSettings, timeZone: string, makers: Makers): Policy {
  const rows = sections.map((section) => ({ ...section, wanted: section.tables(settings, makers) }));
  const compose = (name: Composition['name'], isIn: (row: Section) => boolean): Composition => {
    const sources = rows.filter(isIn).flatMap(({ source, wanted }) => sourceOf(source, wanted));
    return { name, sources, profile: composeProfile(sources) };
  };
  return {
    full: compose('full', () => true),
    parentalPaused: compose('parental paused', ({ isParental }) => !isParental),
    off: OFF,
    isProtected: settings.protectionEnabled,
    pausedUntil: settings.own.pausedUntil ?? 0,
    isPaused: pauses(settings.parental, timeZone),
    blocking: blockingOf(settings.blocking, settings.blockTtlSeconds),
    safeBrowsingBlocking: safeBrowsingBlockingOf(settings),
    missing: rows.flatMap(({ wanted }) => wanted.filter(([, table]) => !table).map(([id]) => id)),
  };
}

function sourceOf(source: SourceName, wanted: Wanted): SourceTables[] {
  const tables = wanted.flatMap(([, table]) => table ?? []);
  return tables.length > 0 ? [{ source, tables }] : [];
}

function pauses({ enabled, pauseSchedule }: ProfileSettings['parental'], timeZone: string): Policy['isPaused'] {
  const hasPause = enabled && Object.values(pauseSchedule).some((day) => day.enabled);
  if (!hasPause) return () => false;
  // Queries must be answered even if this system does not have the time zone.
  const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
  let minute = Number.NaN;
  let paused = false;
  return (nowMs) => {
    const now = Math.floor(nowMs / MINUTE_MS);
    // Compares for inequality, because the clock may have been set back.
    if (now !== minute) {
      minute = now;
      paused = isPaused(pauseSchedule, localTime(nowMs, zone));
    }
    return paused;
  };
}
