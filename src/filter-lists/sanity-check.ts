/** Since when, and how many times in a row, the source has offered much less than is in use. */
export type Shrunk = { readonly since: number; readonly checks: number };

export type Offered = {
  readonly rules: number;
  /** How many rules the list in use has that came from the same source; undefined when none did. */
  readonly rulesInUse: number | undefined;
  readonly shrunk: Shrunk | undefined;
  /** The operator has said that a small list is right. */
  readonly isAccepted: boolean;
  readonly now: number;
};

export type Judgement =
  | { readonly kind: 'use' }
  | { readonly kind: 'keep the old'; readonly why: string; readonly shrunk?: Shrunk };

const CHECKS_TO_BELIEVE = 3;
const TIME_TO_BELIEVE_MS = 24 * 3_600_000;

/** Whether a list that could be read may take the place of the one in use. Decides; does nothing. */
export function judgeList({ rules, rulesInUse, shrunk, isAccepted, now }: Offered): Judgement {
  if (rules === 0) return { kind: 'keep the old', why: 'it has no rules that a DNS filter can use' };
  if (rulesInUse === undefined || isAccepted || rules >= rulesInUse / 2) return { kind: 'use' };
  // An accident is mended within a day; what stays so for longer is what the author wants.
  const seen: Shrunk = { since: shrunk?.since ?? now, checks: (shrunk?.checks ?? 0) + 1 };
  if (seen.checks >= CHECKS_TO_BELIEVE && now - seen.since >= TIME_TO_BELIEVE_MS) return { kind: 'use' };
  const figures = `${rules.toLocaleString('en')} rules where ${rulesInUse.toLocaleString('en')} are in use`;
  return { kind: 'keep the old', why: `it has shrunk by more than half, to ${figures}`, shrunk: seen };
}
