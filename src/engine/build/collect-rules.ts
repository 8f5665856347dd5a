import { wireName } from '../../kit/wire-name.ts';
import { type ParsedLine, parseRule } from '../../rules/parse-rule.ts';
import type { Rule } from '../../rules/rule.ts';
import type { ListText } from '../list-text.ts';
import { modifierCount } from '../match/precedence.ts';
import { createNameKeys, type HashKey, readNameKeys } from '../name-keys.ts';
import {
  createNameSlots,
  IRREGULAR_TEXT,
  isFull,
  type NameSlots,
  readAhead,
  resizeFor,
  slotFor,
} from '../name-slots.ts';
import { EMPTY, KIND, levelBit, SLOT, TAG } from '../table-layout.ts';
import { type BuildReport, countIgnored, countInvalid, createReport } from './build-report.ts';
import {
  type BulkLines,
  createBulkReader,
  isComment,
  labelsOf,
  needsParser,
  type Shape,
  shapeOf,
} from './bulk-lines.ts';
import { findForm, formOf, IRREGULAR_FORM, LOOPBACK_FORM, NO_FORMS, withForm } from './domain-rule-forms.ts';
import { domainRuleKind, type NamedPattern } from './domain-rules.ts';
import { hostsLineRule } from './hosts-line-rule.ts';

/** All rules of a list: domain rules in the slots of their names, complex rules as parsed. */
export type Collected = {
  readonly table: NameSlots;
  /** Domain rules for a name that already has one of another kind, by the upper half of their fingerprints. */
  readonly additional: Map<number, AdditionalRule[]>;
  domainRules: number;
  readonly complex: Draft[];
  readonly badfilters: Draft[];
  labelDepths: number;
  forms: number;
  hasAddresses: boolean;
  readonly report: BuildReport;
};

/** A domain rule whose text the table will contain; read again from its line. */
export type AdditionalRule = {
  readonly high: number;
  readonly low: number;
  readonly kind: number;
  readonly lineAt: number;
};

/** A rule whose text the table will contain. */
export type Draft = {
  readonly text: string;
  readonly rule: Rule;
  readonly lineAt: number;
  /** A hosts line with an answer: weaker than a `$dnsrewrite` rule with the same name and address. */
  readonly answers: boolean;
};

export type NamedRule = Rule & { readonly pattern: { readonly kind: NamedPattern; readonly name: string } };
export const isNamed = (rule: Rule): rule is NamedRule => 'name' in rule.pattern;
export const isDomainRule = (rule: Rule): rule is NamedRule => isNamed(rule) && modifierCount(rule) === 0;

type Line = { readonly text: string; readonly number: number; readonly at: number };

// A low estimate of the names per byte; it is corrected after some lines are read.
const BYTES_A_NAME = 80;

export function collectRules(text: ListText, key: HashKey, answering: boolean): Collected {
  const collected: Collected = {
    // A table takes about half the size of its list.
    table: createNameSlots(16 + text.length / BYTES_A_NAME, text.length),
    additional: new Map(),
    domainRules: 0,
    complex: [],
    badfilters: [],
    labelDepths: 0,
    forms: NO_FORMS,
    hasAddresses: false,
    report: createReport(),
  };
  const { report } = collected;
  const keys = createNameKeys();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  const addDomainRule = (high: number, low: number, labels: number, { kind, form }: Shape, lineAt: number): void => {
    collected.labelDepths |= levelBit(labels);
    if (formOf(collected.forms, kind) === IRREGULAR_FORM) collected.forms = withForm(collected.forms, kind, form);
    const odd = form !== IRREGULAR_FORM && form === formOf(collected.forms, kind) ? 0 : IRREGULAR_TEXT;
    if (isFull(collected.table)) makeRoom(collected.table, lineAt / text.length);
    putDomainRule(collected, high, low & ~TAG, kind, lineAt + odd);
  };

  const addRule = (rule: Rule, text: string, line: Line, isHosts: boolean): void => {
    if (isNamed(rule)) collected.hasAddresses ||= mayBeAddress(rule.pattern.name);
    if (rule.badfilter) collected.badfilters.push({ text, rule, lineAt: line.at, answers: false });
    else if (!isDomainRule(rule)) collected.complex.push({ text, rule, lineAt: line.at, answers: isHosts });
    else {
      const { kind, name } = rule.pattern;
      readNameKeys(key, wireName(name)!, 0, keys);
      const form = findForm(rule.allow, kind, name, text);
      addDomainRule(
        keys.high[keys.count]!,
        keys.low[keys.count]!,
        keys.count,
        { kind: domainRuleKind(rule.allow, kind), form },
        line.at,
      );
    }
  };

  const addLine = (parsed: ParsedLine, line: Line): void => {
    switch (parsed.kind) {
      case 'blank':
        break;
      case 'comment':
        report.comments += 1;
        break;
      case 'rule':
        addRule(parsed.rule, line.text.trim(), line, false);
        break;
      case 'hosts':
        for (const name of parsed.names)
          addRule(hostsLineRule(parsed.address, name, answering), `${parsed.address} ${name}`, line, true);
        break;
      case 'ignored':
        countIgnored(report, parsed.why === 'unknown modifier' ? parsed.modifier : parsed.why);
        break;
      case 'invalid':
        countInvalid(report, line.number, line.text, parsed.fault);
        break;
    }
  };

  let number = 0;
  let base = 0;
  const readBlock = (lines: BulkLines, piece: Uint8Array): void => {
    readAhead(collected.table, lines);
    for (let nth = 0; nth < lines.count; nth++) {
      const kind = lines.kinds[nth]!;
      const start = lines.starts[nth]!;
      number += 1;
      if (isComment(kind)) report.comments += 1;
      else if (!needsParser(kind) && !(answering && shapeOf(kind).form === LOOPBACK_FORM)) {
        const shape = shapeOf(kind);
        addDomainRule(lines.high[nth]!, lines.low[nth]!, labelsOf(kind), shape, base + start);
      } else if (lines.ends[nth]! > start) {
        const line = { text: decoder.decode(piece.slice(start, lines.ends[nth]!)), number, at: base + start };
        addLine(parseRule(line.text), line);
      }
    }
  };
  const read = createBulkReader(key);
  for (const piece of text.pieces()) {
    for (const lines of read(piece, base === 0 && startsWithMark(piece) ? 3 : 0)) readBlock(lines, piece);
    base += piece.length;
  }
  return collected;
}

const startsWithMark = (text: Uint8Array): boolean => text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;

/** Extrapolates the number of names from the share of the list read so far. */
function makeRoom(table: NameSlots, share: number): void {
  const foreseen = (1.01 * table.names) / Math.max(share, 0.01);
  resizeFor(table, Math.max(1.04 * table.names + 16, Math.min(foreseen, 2 * table.names)));
}

/** The slot stores the first domain rule of the name, and also the first of each other kind. */
function putDomainRule(collected: Collected, high: number, low: number, kind: number, line: number): void {
  const { table, report } = collected;
  const slot = slotFor(table, high, low);
  const first = table.slots[slot * SLOT + 1]! & KIND;
  if (first === kind || (first !== EMPTY && isKnown(collected, high, low, kind))) {
    report.repeated += 1;
    return;
  }
  collected.domainRules += 1;
  if (first === EMPTY) {
    table.slots[slot * SLOT + 1]! |= kind;
    table.lines[slot] = line;
  } else addAdditional(collected, { high, low, kind, lineAt: line % IRREGULAR_TEXT });
}

const isKnown = ({ additional }: Collected, high: number, low: number, kind: number): boolean =>
  additional.get(high)?.some((rule) => rule.low === low && rule.kind === kind) ?? false;

function addAdditional({ additional }: Collected, rule: AdditionalRule): void {
  const others = additional.get(rule.high);
  if (others) others.push(rule);
  else additional.set(rule.high, [rule]);
}

/** When an answer is filtered, the text of an address is looked up like a name. */
const mayBeAddress = (name: string): boolean => /(?:^|\.)\d+$|:/.test(name);
