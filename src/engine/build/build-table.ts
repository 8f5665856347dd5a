import { wireName } from '../../kit/wire-name.ts';
import { parseRule } from '../../rules/parse-rule.ts';
import { ruleKey } from '../../rules/rule-key.ts';
import { findSlot } from '../list-table.ts';
import { type ListText, textInMemory } from '../list-text.ts';
import { createNameKeys, type HashKey, hashKey, readNameKeys } from '../name-keys.ts';
import { isFull, isRoomy, resizeFor, slotFor } from '../name-slots.ts';
import { COMPLEX, EMPTY, KIND, levelBit, ONLY_COMPLEX, SLOT, TAG } from '../table-layout.ts';
import type { BuildReport } from './build-report.ts';
import {
  type AdditionalRule,
  type Collected,
  collectRules,
  type Draft,
  isDomainRule,
  isNamed,
  type NamedRule,
} from './collect-rules.ts';
import { domainRuleKind } from './domain-rules.ts';
import { hostsLineRule } from './hosts-line-rule.ts';
import { chooseGeneric, chooseNamed } from './index-generic.ts';
import { writeTable } from './write-table.ts';

export type BuildOptions = {
  /** Eight bytes; the same for all tables of an installation. */
  readonly secret: Uint8Array;
  /** Hosts lines are answered with their address instead of blocked. */
  readonly answering?: boolean;
  /** Regular expressions beyond this total of program steps are omitted and counted as ignored. */
  readonly maxExpressionSteps?: number;
};

export type BuiltTable = {
  readonly buffer: SharedArrayBuffer;
  /** Per slot: offset of the rule's line in the text. Needed only for explanations, so it is not part of the table. */
  readonly lines: Uint32Array;
  readonly report: BuildReport;
};

/**
 * Builds the table of a list. Equal text and secret give equal bytes. Needs little memory besides the table and the
 * line offsets, unless the text is already in memory.
 */
export function buildTable(list: Uint8Array | ListText, options: BuildOptions): BuiltTable {
  const { secret, answering = false, maxExpressionSteps = Infinity } = options;
  const text = list instanceof Uint8Array ? textInMemory(list) : list;
  const key = hashKey(secret);
  const collected = collectRules(text, key, answering);
  const { report, badfilters, table } = collected;

  for (const { rule } of badfilters) if (isDomainRule(rule)) switchOff(collected, rule, key);
  const complex = distinct(collected);
  for (const { rule } of complex) if (isNamed(rule)) markComplex(collected, fingerprint(rule.pattern.name, key));
  const additional = [...collected.additional.values()].flat();
  for (const { high, low } of additional) markComplex(collected, { high, low });
  if (isRoomy(table)) resizeFor(table, table.names);

  const slotOf = ({ high, low }: Fingerprint): number => findSlot(table, high, low);
  const named = chooseNamed(
    [
      ...complex
        .filter(isNamedDraft)
        .map((draft) => ({ ...draft, slot: slotOf(fingerprint(draft.rule.pattern.name, key)) })),
      ...additional.map((rule) => ({ ...additionalDraft(text, rule, key), slot: slotOf(rule) })),
    ],
    report,
  );
  const generic = chooseGeneric(
    complex.filter((draft) => !isNamedDraft(draft)),
    { first: named.length, maxExpressionSteps },
    text,
    report,
  );
  report.rules = collected.domainRules - additional.length + named.length + generic.rules.length;
  const { buffer, lines } = writeTable({ ...collected, key, named, generic, answering });
  return { buffer, lines, report };
}

const isNamedDraft = <T extends Draft>(draft: T): draft is T & { readonly rule: NamedRule } => isNamed(draft.rule);

/** Complex rules without those disabled by `$badfilter` and without duplicates; the first of equal rules is kept. */
function distinct({ complex, badfilters, report }: Collected): readonly Draft[] {
  const switchedOff = new Set(badfilters.map(({ rule }) => ruleKey(rule)));
  const unique = new Map<string, Draft>();
  for (const draft of complex) {
    const key = ruleKey(draft.rule);
    const sameAs = `${draft.answers} ${key}`;
    if (switchedOff.has(key)) report.disabledByBadfilter += 1;
    else if (unique.has(sameAs)) report.repeated += 1;
    else unique.set(sameAs, draft);
  }
  return [...unique.values()];
}

type Fingerprint = { readonly high: number; readonly low: number };

const keys = createNameKeys();

function fingerprint(name: string, key: HashKey): Fingerprint & { readonly labels: number } {
  readNameKeys(key, wireName(name)!, 0, keys);
  return { high: keys.high[keys.count]!, low: keys.low[keys.count]! & ~TAG, labels: keys.count };
}

/** Marks that the table contains the text of a complex rule for a name. */
function markComplex(collected: Collected, { high, low, labels }: Fingerprint & { readonly labels?: number }): void {
  const { table } = collected;
  if (labels !== undefined) collected.labelDepths |= levelBit(labels);
  if (isFull(table)) resizeFor(table, 1.04 * table.names + 16);
  const slot = slotFor(table, high, low);
  const isNew = (table.slots[slot * SLOT + 1]! & KIND) === EMPTY;
  table.slots[slot * SLOT + 1]! |= isNew ? ONLY_COMPLEX | COMPLEX : COMPLEX;
}

/** Disables the rule at the name; its slot stays. */
function switchOff(collected: Collected, rule: NamedRule, key: HashKey): void {
  const { table, additional, report } = collected;
  const kind = domainRuleKind(rule.allow, rule.pattern.kind);
  const { high, low } = fingerprint(rule.pattern.name, key);
  const slot = findSlot(table, high, low);
  const others = additional.get(high) ?? [];
  const left = others.filter((second) => second.low !== low || second.kind !== kind);
  let disabled = others.length - left.length;
  if (disabled > 0) additional.set(high, left);
  if (slot !== -1 && (table.slots[slot * SLOT + 1]! & KIND) === kind) {
    table.slots[slot * SLOT + 1]! |= ONLY_COMPLEX;
    disabled += 1;
  }
  collected.domainRules -= disabled;
  report.disabledByBadfilter += disabled;
}

const LF = 0x0a;
const decoder = new TextDecoder();

/** A domain rule, read again from its line, because its text must be stored in the table. */
function additionalDraft(text: ListText, { high, lineAt }: AdditionalRule, key: HashKey): Draft {
  const rest = text.from(lineAt);
  const feed = rest.indexOf(LF);
  const line = decoder.decode(rest.slice(0, feed === -1 ? rest.length : feed)).trim();
  const parsed = parseRule(line);
  if (parsed.kind === 'rule') return { text: line, rule: parsed.rule, lineAt, answers: false };
  if (parsed.kind !== 'hosts') throw new Error(`no longer a valid rule: ${line}`);
  const name = parsed.names.find((candidate) => fingerprint(candidate, key).high === high)!;
  return {
    text: `${parsed.address} ${name}`,
    rule: hostsLineRule(parsed.address, name, false),
    lineAt,
    answers: false,
  };
}
