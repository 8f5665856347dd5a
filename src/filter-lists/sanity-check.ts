/** Time since when, and number of consecutive checks in which, the source has been much smaller than the active version. */
export type Shrunk = { readonly since: number; readonly checks: number };

export type Offered = {
  readonly rules: number;
  /** Rules of the active version from the same source; undefined without an active version. */
  readonly rulesInUse: number | undefined;
  readonly shrunk: Shrunk | undefined;
  /** The operator has accepted the small list. */
  readonly isAccepted: boolean;
  readonly now: number;
};

export type SanityResult =
  | { readonly kind: 'use' }
  | { readonly kind: 'keep the old'; readonly why: string; readonly shrunk?: Shrunk };

const CHECKS_TO_BELIEVE = 3;
const TIME_TO_BELIEVE_MS = 24 * 3_600_000;

/** Whether a new version may replace the active one. Pure. */
export function checkSanity({ rules, rulesInUse, shrunk, isAccepted, now }: Offered): SanityResult {
  if (rules === 0) return { kind: 'keep the old', why: 'it has no rules that a DNS filter can use' };
  if (rulesInUse === undefined || isAccepted || rules >= rulesInUse / 2) return { kind: 'use' };
  // Accidental changes are usually corrected within a day; a longer one is considered intentional.
  const seen: Shrunk = { since: shrunk?.since ?? now, checks: (shrunk?.checks ?? 0) + 1 };
  if (seen.checks >= CHECKS_TO_BELIEVE && now - seen.since >= TIME_TO_BELIEVE_MS) return { kind: 'use' };
  const figures = `${rules.toLocaleString('en')} rules where ${rulesInUse.toLocaleString('en')} are in use`;
  return { kind: 'keep the old', why: `it has shrunk by more than half, to ${figures}`, shrunk: seen };
}
