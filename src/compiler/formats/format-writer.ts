import type { Text } from '../lines/text.ts';
import { fillWildcardGaps } from './fill-wildcard-gaps.ts';
import type { Format, WhyNot } from './format.ts';
import type { Names } from './name-conditions.ts';
import { inherit, resolvePrecedence } from './resolve-precedence.ts';
import {
  BELOW,
  DENY_ALLOW_EXEMPT,
  isSameVerdict,
  type RewriteAnswer,
  type RuleEffects,
  SELF,
  type Verdict,
  verdictIndex,
} from './rule-effects.ts';
import { type Template, toTemplate, writeLine, writeTemplate } from './write-lines.ts';

/** Writes the rule effects of a list in a format, each name once. */
type FormatWriter = {
  /** Writes the effects of a line, or returns why it cannot. Called in line order. */
  readonly writeRuleLine: (line: number) => string | undefined;
  /** Writes the remaining records that the format needs but no line of the list produces. */
  readonly writeRemaining: () => void;
};

export function createFormatWriter(effects: RuleEffects, format: Format, file: Text): FormatWriter {
  const { names } = effects;
  const redundant = decide(names, format);
  const done = new Uint8Array(names.count);
  const lineFor = templatesOf(format);
  let next = 0;

  const writeRuleName = (name: number, priority: number): string | undefined => {
    const { bytes } = names.text;
    const start = names.start[name]!;
    const end = names.end[name]!;
    const isFirst = done[name] === 0;
    done[name] = 1;
    const why = format.whyNoName?.(bytes, start, end);
    if (why !== undefined) return why;
    const lineTemplate = lineFor(
      verdictIndex(names.self[name]!),
      verdictIndex(names.below[name]!),
      effects.rewrites.get(name),
    );
    // Formats of single names need no exceptions for exempted names, because these are not in the file.
    if (!isTemplate(lineTemplate) && priority === DENY_ALLOW_EXEMPT) return undefined;
    if (!isTemplate(lineTemplate)) return lineTemplate[WHY_NOT[verdictIndex(priority)]!];
    if (isFirst) for (const template of lineTemplate) writeTemplate(file, template, bytes, start, end);
    return undefined;
  };

  const writeNext = (): string | undefined => {
    const at = next++;
    const name = effects.name[at]!;
    if (redundant[name] === 1 || !isEffective(effects, at)) return undefined;
    return writeRuleName(name, effects.priority[at]!);
  };

  return {
    writeRuleLine(line) {
      let why: string | undefined;
      while (next < effects.count && effects.line[next] === line) {
        const wrong = writeNext();
        why ??= wrong;
      }
      return why;
    },
    writeRemaining() {
      if (format.reach !== 'wildcard') return;
      const left: number[] = [];
      for (let name = 0; name < names.count; name++) if (redundant[name] !== 1 && done[name] === 0) left.push(name);
      if (left.length > 0)
        writeLine(
          file,
          `${format.comment} Names between those above: a wildcard does not match below an existing name`,
        );
      for (const name of left) writeRuleName(name, 0);
    },
  };
}

/** Resolves precedence for all names; returns the redundant ones. */
function decide(names: Names, { reach }: Format): Uint8Array {
  const above = resolvePrecedence(names);
  if (reach !== 'name') inherit(names, above);
  return reach === 'wildcard' ? fillWildcardGaps(names, above) : new Uint8Array(names.count);
}

/** Whether an effect still applies anywhere in its scope after rules of higher priority. */
function isEffective({ names, name, priority, reach }: RuleEffects, at: number): boolean {
  const of = name[at]!;
  if (reach[at]! & SELF && isSameVerdict(priority[at]!, names.self[of]!)) return true;
  return (reach[at]! & BELOW) !== 0 && isSameVerdict(priority[at]!, names.below[of]!);
}

type LineTemplate = readonly Template[] | WhyNot;

const isTemplate = (lineTemplate: LineTemplate): lineTemplate is readonly Template[] => Array.isArray(lineTemplate);

const verdicts: readonly Verdict[] = ['none', 'block', 'allow'];
const CODES = verdicts.length;
/** Member of `WhyNot` by verdict. Priority 0 is used for names that fill wildcard gaps. */
const WHY_NOT = ['allow', 'block', 'allow', 'rewrite'] as const;

/** Finds the templates for a pair of verdicts. Those without a rewrite are prepared once. */
function templatesOf(format: Format): (self: number, below: number, rewrite?: RewriteAnswer) => LineTemplate {
  const templateOf = (self: Verdict, below: Verdict): LineTemplate => {
    const lines = format.linesFor(self, below);
    return 'block' in lines ? lines : lines.map(toTemplate);
  };
  const prepared = verdicts.flatMap((self) => verdicts.map((below) => templateOf(self, below)));
  return (self, below, rewrite) =>
    self < CODES && below < CODES
      ? prepared[self * CODES + below]!
      : templateOf(verdicts[self] ?? rewrite ?? 'none', verdicts[below] ?? rewrite ?? 'none');
}
