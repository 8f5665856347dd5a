import { wireName } from '../kit/wire-name.ts';
import { parseRule } from '../rules/parse-rule.ts';
import { ruleKey } from '../rules/rule-key.ts';
import { bareKind } from './bare-kinds.ts';
import type { BuildReport } from './build-report.ts';
import {
  addRecord,
  type Collected,
  collectRules,
  type Draft,
  isBare,
  isNamed,
  type NamedRule,
} from './collect-rules.ts';
import { hostsLineRule } from './hosts-line-rule.ts';
import { createNameKeys, type HashKey, hashKey, readNameKeys } from './name-keys.ts';
import { type Placed, placeNames } from './place-names.ts';
import { RECORD_WORDS } from './sort-records.ts';
import { levelBit, ODD, ONLY_MORE, TAG } from './table-layout.ts';
import { NO_SLOT, writeTable } from './write-table.ts';

export type BuildOptions = {
  /** Eight bytes; the same for all tables of an installation. */
  readonly secret: Uint8Array;
  /** Lines of a hosts file are answered with their address instead of blocked. */
  readonly answering?: boolean;
};

export type BuiltTable = {
  readonly buffer: SharedArrayBuffer;
  /** By slot: where in the text the line of its rule begins. Needed only for reasons, so it is not part of the table. */
  readonly lines: Uint32Array;
  readonly report: BuildReport;
};

/** Turns the text of a list, in UTF-8, into its table. The same text and secret give the same bytes. */
export function buildTable(text: Uint8Array, { secret, answering = false }: BuildOptions): BuiltTable {
  const key = hashKey(secret);
  const collected = collectRules(text, key, answering);
  const { report, badfilters } = collected;

  dropDisabled(collected, disabledBare(badfilters, key));
  const bareCount = collected.count;
  const further = distinct(collected);
  for (const [number, draft] of further.entries()) if (isNamedDraft(draft)) addFurther(collected, draft, number, key);
  const placed = placeNames(collected.records, collected.count);

  report.repeated += placed.repeated;
  report.rules = bareCount - placed.repeated + further.length;
  const named = [
    ...further
      .map((draft, number) => ({ ...draft, slot: placed.furtherSlots[number] ?? NO_SLOT }))
      .filter(isNamedDraft),
    ...placed.seconds.map((second) => secondDraft(text, second, key)),
  ];
  const buffer = writeTable({
    placed,
    named: named.sort((one, other) => one.slot - other.slot || one.lineAt - other.lineAt),
    generic: further.filter((draft) => !isNamedDraft(draft)),
    badfilters,
    key,
    levels: collected.levels,
    forms: collected.forms,
    hasAddresses: collected.hasAddresses,
    answering,
    rules: report.rules,
    text,
  });
  return { buffer, lines: placed.lines, report };
}

const isNamedDraft = <T extends Draft>(draft: T): draft is T & { readonly rule: NamedRule } => isNamed(draft.rule);

/** Further rules without what is switched off; the first stands for all that say the same. */
function distinct({ further, badfilters, report }: Collected): readonly Draft[] {
  const switchedOff = new Set(badfilters.map(({ rule }) => ruleKey(rule)));
  const kept = new Map<string, Draft>();
  for (const draft of further) {
    const key = ruleKey(draft.rule);
    if (switchedOff.has(key)) report.disabledByBadfilter += 1;
    else if (kept.has(key)) report.repeated += 1;
    else kept.set(key, draft);
  }
  return [...kept.values()];
}

const keys = createNameKeys();

function fingerprint(name: string, key: HashKey): { high: number; low: number; labels: number } {
  readNameKeys(key, wireName(name)!, 0, keys);
  return { high: keys.high[keys.count]!, low: keys.low[keys.count]! & ~TAG, labels: keys.count };
}

function addFurther(collected: Collected, { rule }: { rule: NamedRule }, number: number, key: HashKey): void {
  const { high, low, labels } = fingerprint(rule.pattern.name, key);
  collected.levels |= levelBit(labels);
  addRecord(collected, high, low | ONLY_MORE, number);
}

/** Fingerprints, with the kind of rule in the last bits, of the bare rules that `$badfilter` switches off. */
function disabledBare(badfilters: readonly Draft[], key: HashKey): ReadonlyMap<number, readonly number[]> {
  const disabled = new Map<number, number[]>();
  for (const { rule } of badfilters) {
    if (!isBare(rule)) continue;
    const { high, low } = fingerprint(rule.pattern.name, key);
    disabled.set(high, [...(disabled.get(high) ?? []), low | bareKind(rule.allow, rule.pattern.kind)]);
  }
  return disabled;
}

function dropDisabled(collected: Collected, disabled: ReadonlyMap<number, readonly number[]>): void {
  if (disabled.size === 0) return;
  const { records, count, report } = collected;
  collected.count = 0;
  for (let at = 0; at < count * RECORD_WORDS; at += RECORD_WORDS) {
    const [high, lower, lineAt] = [records[at]!, records[at + 1]!, records[at + 2]!];
    if (disabled.get(high)?.includes(lower & ~ODD)) report.disabledByBadfilter += 1;
    else addRecord(collected, high, lower, lineAt);
  }
}

const LF = 0x0a;
const decoder = new TextDecoder();

/** A bare rule, read again from its line, because its text must now stand in the table. */
function secondDraft(text: Uint8Array, { slot, high, lineAt }: Placed['seconds'][number], key: HashKey) {
  const feed = text.indexOf(LF, lineAt);
  const line = decoder.decode(text.slice(lineAt, feed === -1 ? text.length : feed)).trim();
  const parsed = parseRule(line);
  if (parsed.kind === 'rule') return { text: line, rule: parsed.rule, lineAt, slot };
  if (parsed.kind !== 'hosts') throw new Error(`no rule any more: ${line}`);
  const name = parsed.names.find((each) => fingerprint(each, key).high === high)!;
  return { text: `${parsed.address} ${name}`, rule: hostsLineRule(parsed.address, name, false), lineAt, slot };
}
