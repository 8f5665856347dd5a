import { err, ok, type Result } from '../kit/result.ts';
import { modifierName, splitModifiers } from './adblock-rule.ts';
import { knownModifiers, type Modifier } from './modifiers.ts';
import type { Rule } from './rule.ts';
import { errorAt, type RuleError, shiftError } from './rule-error.ts';

export type Modifiers = {
  readonly meaning: Partial<Rule>;
  /** Whether the rule applies only to some of the queries. */
  readonly limitsQueries: boolean;
};

/** `unknown`: the unsupported modifier. */
export type ModifierError = { readonly fault: RuleError; readonly unknown?: string };

/** Parses the modifiers of a rule. Reports the first error from the left. */
export function readModifiers(text: string, allow: boolean): Result<Modifiers, ModifierError> {
  const seen = new Set<string>();
  let meaning: Partial<Rule> = {};
  let limitsQueries = false;
  for (const { part, start } of placedParts(text)) {
    const name = modifierName(part);
    const modifier = knownModifiers.get(name);
    const errorAtPart = (reason: string): RuleError => errorAt(reason, start, part.length);
    if (!modifier)
      return err({ fault: errorAtPart(`the modifier "${name}" is not supported by a DNS filter`), unknown: name });
    const bareName = name.replace(/^~/, '');
    if (seen.has(bareName)) return err({ fault: errorAtPart(`the modifier "${bareName}" is given twice`) });
    seen.add(bareName);
    const read = readModifier(part, name, modifier, allow);
    if (!read.ok) return err({ fault: shiftError(read.error, start) });
    meaning = { ...meaning, ...read.value };
    limitsQueries ||= modifier.limitsQueries;
  }
  return ok({ meaning, limitsQueries });
}

/** Superfluous commas are ignored. */
function placedParts(text: string): readonly { readonly part: string; readonly start: number }[] {
  let end = -1;
  return splitModifiers(text)
    .map((part) => {
      const start = end + 1;
      end = start + part.length;
      return { part, start };
    })
    .filter(({ part }) => part !== '');
}

function readModifier(
  part: string,
  name: string,
  { value: wanted, like, read }: Modifier,
  allow: boolean,
): Result<Partial<Rule>, RuleError> {
  const value = part.slice(name.length + 1);
  if (wanted === 'none' && part !== name) {
    return err(errorAt(`the modifier "${name}" takes no value`, name.length, part.length - name.length));
  }
  if (value === '' && (wanted === 'needed' || (wanted === 'needed unless @@' && !allow))) {
    return err(errorAt(`the modifier "${name}" needs a value, as in ${like}`, part.length, 0));
  }
  const meaning = read(value);
  return meaning.ok ? meaning : err(shiftError(meaning.error, name.length + 1));
}
