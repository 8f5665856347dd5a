import type { EngineProfile } from '../engine/match/profile.ts';
import type { Policy } from '../resolver/policy/policy.ts';

/** For one DNS server: decisions that skipped rules, and skipped rules. */
export type SkippedRules = { readonly dnsServer: string; readonly decisions: number; readonly rules: number };

const EVERY_MS = 1000;

/** Counts the rules that decisions skip in one thread, and reports the sums at most once a second. */
export function countSkipped(report: (skipped: readonly SkippedRules[]) => void, now: () => number) {
  const owners = new WeakMap<EngineProfile, string>();
  let counts = new Map<string, { decisions: number; rules: number }>();
  let reportedAt = -Infinity;
  return {
    setOwner(dnsServer: string, { full, parentalPaused }: Pick<Policy, 'full' | 'parentalPaused'>): void {
      for (const { profile } of [full, parentalPaused]) owners.set(profile, dnsServer);
    },
    skipped(profile: EngineProfile, rules: number): void {
      const dnsServer = owners.get(profile);
      if (dnsServer === undefined) return;
      const count = counts.get(dnsServer) ?? { decisions: 0, rules: 0 };
      counts.set(dnsServer, { decisions: count.decisions + 1, rules: count.rules + rules });
    },
    /** To be called regularly. */
    report(): void {
      if (counts.size === 0 || now() < reportedAt + EVERY_MS) return;
      reportedAt = now();
      report(Array.from(counts, ([dnsServer, count]) => ({ dnsServer, ...count })));
      counts = new Map();
    },
  };
}

export type SkippedOfServer = { readonly decisions: number; readonly rules: number; readonly lastAt: number };

const MOST_SERVERS = 10_000;

/** The sums of all threads since the start, by DNS server; the least recently updated are dropped first. */
export function sumSkipped(wallMs: () => number) {
  const servers = new Map<string, SkippedOfServer>();
  let all = 0;
  return {
    add(skipped: readonly SkippedRules[]): void {
      for (const { dnsServer, decisions, rules } of skipped) {
        const before = servers.get(dnsServer);
        servers.delete(dnsServer);
        servers.set(dnsServer, {
          decisions: decisions + (before?.decisions ?? 0),
          rules: rules + (before?.rules ?? 0),
          lastAt: wallMs(),
        });
        all += rules;
      }
      for (const dnsServer of servers.keys()) {
        if (servers.size <= MOST_SERVERS) break;
        servers.delete(dnsServer);
      }
    },
    of: (dnsServer: string): SkippedOfServer | undefined => servers.get(dnsServer),
    rules: (): number => all,
  };
}
