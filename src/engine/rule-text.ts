import { nameText } from '../kit/wire-name.ts';
import { domainRuleText, formOf } from './build/domain-rule-forms.ts';
import { domainRuleKinds } from './build/domain-rules.ts';
import { type ListTable, type ReadLine, tagAt } from './list-table.ts';
import { KIND } from './table-layout.ts';
import type { Verdict } from './verdict.ts';

/**
 * The rule that decided, as it is written in its list; undefined when none did. Must be asked for while the bytes of
 * the question still stand: most rules are nothing but a name of it, and need not be read from anywhere.
 */
export function ruleText({ list, by }: Verdict, readLine: ReadLine): string | undefined {
  if (!list) return undefined;
  return by.complex?.text ?? slotText(list, by.slot, nameText(by.name, by.nameAt).toLowerCase(), readLine);
}

/** The text of the bare rule at a slot, for the name that was found there. */
export function slotText(list: ListTable, slot: number, name: string, readLine: ReadLine): string {
  const kind = tagAt(list, slot) & KIND;
  const { allow, pattern } = domainRuleKinds[kind]!;
  return isOdd(list, slot) ? readLine(list, slot) : domainRuleText(allow, pattern, formOf(list.forms, kind), name);
}

const isOdd = ({ odd }: ListTable, slot: number): boolean =>
  odd.length > 0 && (odd[slot >>> 5]! & (1 << (slot & 31))) !== 0;
