import { nameText } from '../kit/wire-name.ts';
import { domainRuleText, formOf } from './build/domain-rule-forms.ts';
import { domainRuleKinds } from './build/domain-rules.ts';
import { type ListTable, type ReadLine, tagAt } from './list-table.ts';
import { KIND } from './table-layout.ts';
import type { Verdict } from './verdict.ts';

/**
 * The text of the deciding rule; undefined without one. Must be called while the bytes of the query are still valid:
 * most rules consist of a name of the query and need not be read.
 */
export function ruleText({ list, by }: Verdict, readLine: ReadLine): string | undefined {
  if (!list) return undefined;
  return by.complex?.text ?? slotText(list, by.slot, nameText(by.name, by.nameAt).toLowerCase(), readLine);
}

/** The text of the domain rule in a slot, for the name found there. */
export function slotText(list: ListTable, slot: number, name: string, readLine: ReadLine): string {
  const kind = tagAt(list, slot) & KIND;
  const { allow, pattern } = domainRuleKinds[kind]!;
  return hasEscapes(list, slot) ? readLine(list, slot) : domainRuleText(allow, pattern, formOf(list.forms, kind), name);
}

const hasEscapes = ({ odd }: ListTable, slot: number): boolean =>
  odd.length > 0 && (odd[slot >>> 5]! & (1 << (slot & 31))) !== 0;
