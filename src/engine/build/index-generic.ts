import { type Regex, readRegex } from '../../rules/regex/regex.ts';
import type { RegexCode } from '../../rules/regex/regex-code.ts';
import type { Rule } from '../../rules/rule.ts';
import type { ListText } from '../list-text.ts';
import { ALWAYS, countShortcuts, type Part, shortcutsOf } from '../shortcut-index.ts';
import { type BuildReport, countIgnored } from './build-report.ts';
import type { Draft } from './collect-rules.ts';

// Limits that bound the cost of a decision for any list: rules per name, rules per shortcut, and rules without a
// shortcut. Rules beyond them are omitted and counted.
export const MAX_AT_ONE_NAME = 1000;
export const MAX_PER_SHORTCUT = 1000;
export const MAX_ALWAYS = 100;

export type ShortcutEntry = readonly [shortcut: number, number: number];

export type NamedDraft = Draft & { readonly slot: number };

/** Sorted by slot, then by line. */
export function chooseNamed(drafts: NamedDraft[], report: BuildReport): readonly NamedDraft[] {
  drafts.sort((one, other) => one.slot - other.slot || one.lineAt - other.lineAt);
  return drafts.filter(({ slot }, nth) => {
    const isKept = drafts[nth - MAX_AT_ONE_NAME]?.slot !== slot;
    if (!isKept) countIgnored(report, `more than ${MAX_AT_ONE_NAME} rules for one name`);
    return isKept;
  });
}

export type Generic = {
  readonly rules: readonly Draft[];
  readonly shortcuts: readonly ShortcutEntry[];
  /** Program of each rule's regular expression; empty for wildcards. */
  readonly code: readonly RegexCode[];
};

const NO_CODE: RegexCode = new Uint16Array(0);

export type GenericOptions = {
  /** Number of the first rule. */
  readonly first: number;
  /** Maximum total of regular-expression program steps. */
  readonly maxExpressionSteps: number;
};

/** Rules that cannot be looked up by name, with their sorted shortcuts. */
export function chooseGeneric(
  drafts: readonly Draft[],
  { first, maxExpressionSteps }: GenericOptions,
  text: ListText,
  report: BuildReport,
): Generic {
  if (drafts.length === 0) return { rules: [], shortcuts: [], code: [] };
  const counts = countShortcuts(text);
  const taken = new Map<number, number>();
  const rules: Draft[] = [];
  const shortcuts: ShortcutEntry[] = [];
  const codes: RegexCode[] = [];
  let steps = 0;
  for (const draft of drafts) {
    const { pattern } = draft.rule;
    const expression = pattern.kind === 'expression' ? regexOf(pattern.source) : undefined;
    if (expression && steps + expression.steps > maxExpressionSteps) {
      countIgnored(report, `more than ${maxExpressionSteps} steps of regular expressions`);
      continue;
    }
    const its = shortcutsOf(expression ? literalsOf(expression) : alternativesOf(draft.rule), counts);
    const full = its.find(
      (shortcut) => (taken.get(shortcut) ?? 0) >= (shortcut === ALWAYS ? MAX_ALWAYS : MAX_PER_SHORTCUT),
    );
    if (full !== undefined) {
      countIgnored(report, full === ALWAYS ? `more than ${MAX_ALWAYS} rules for every name` : tooAlike);
      continue;
    }
    steps += expression?.steps ?? 0;
    for (const shortcut of its) {
      taken.set(shortcut, (taken.get(shortcut) ?? 0) + 1);
      shortcuts.push([shortcut, first + rules.length]);
    }
    rules.push(draft);
    codes.push(expression?.code() ?? NO_CODE);
  }
  return { rules, shortcuts: shortcuts.sort((one, other) => one[0] - other[0] || one[1] - other[1]), code: codes };
}

function regexOf(source: string): Regex | undefined {
  const expression = readRegex(source);
  return expression.ok ? expression.value : undefined;
}

const literalsOf = ({ literals }: Regex): readonly (readonly Part[])[] =>
  literals.map((text) => [{ text, startsLabel: false, endsLabel: false }]);

const tooAlike = `more than ${MAX_PER_SHORTCUT} patterns with the same letters`;

/** Alternatives: every matching name contains all parts of at least one of the lists. */
function alternativesOf({ pattern }: Rule): readonly (readonly Part[])[] {
  if (pattern.kind !== 'wildcard') return [];
  const { start, pieces, end } = pattern;
  return [
    pieces.map((text, nth) => ({
      text,
      startsLabel: nth === 0 && start !== 'anywhere',
      endsLabel: nth === pieces.length - 1 && end === 'name',
    })),
  ];
}
