import { wireName } from '../kit/wire-name.ts';
import { type ParsedLine, parseRule } from '../rules/parse-rule.ts';
import type { Rule } from '../rules/rule.ts';
import { findForm, formOf, LOOPBACK_FORM, NO_FORMS, ODD_FORM, withForm } from './bare-forms.ts';
import { bareKind, type NamedPattern } from './bare-kinds.ts';
import { type BuildReport, countIgnored, countInvalid, createReport } from './build-report.ts';
import { hostsLineRule } from './hosts-line-rule.ts';
import { createNameKeys, type HashKey, readNameKeys } from './name-keys.ts';
import { modifierCount } from './precedence.ts';
import { createBulkLine, readBulkLine } from './read-bulk-line.ts';
import { RECORD_WORDS } from './sort-records.ts';
import { levelBit, ODD, TAG } from './table-layout.ts';

/** All rules of a list, read and not yet placed. */
export type Collected = {
  /** Of the bare rules: the fingerprint of the name, tagged with the kind of the rule, and where its line begins. */
  records: Int32Array;
  count: number;
  readonly further: Draft[];
  readonly badfilters: Draft[];
  levels: number;
  forms: number;
  hasAddresses: boolean;
  readonly report: BuildReport;
};

/** A rule whose text the table will hold. */
export type Draft = { readonly text: string; readonly rule: Rule; readonly lineAt: number };

export type NamedRule = Rule & { readonly pattern: { readonly kind: NamedPattern; readonly name: string } };
export const isNamed = (rule: Rule): rule is NamedRule => 'name' in rule.pattern;
export const isBare = (rule: Rule): rule is NamedRule => isNamed(rule) && modifierCount(rule) === 0;

type Line = { readonly text: string; readonly number: number; readonly at: number };

const LF = 0x0a;
const CR = 0x0d;
const EXCLAMATION_MARK = 0x21;
const TYPICAL_LINE = 24;

export function collectRules(text: Uint8Array, key: HashKey, answering: boolean): Collected {
  const collected: Collected = {
    records: new Int32Array(RECORD_WORDS * (16 + Math.ceil(text.length / TYPICAL_LINE))),
    count: 0,
    further: [],
    badfilters: [],
    levels: 0,
    forms: NO_FORMS,
    hasAddresses: false,
    report: createReport(),
  };
  const { report } = collected;
  const keys = createNameKeys();
  const bulk = createBulkLine();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  const addBare = (name: Uint8Array, kind: number, form: number, lineAt: number): void => {
    readNameKeys(key, name, 0, keys);
    collected.levels |= levelBit(keys.count);
    if (formOf(collected.forms, kind) === ODD_FORM) collected.forms = withForm(collected.forms, kind, form);
    const odd = form !== ODD_FORM && form === formOf(collected.forms, kind) ? 0 : ODD;
    addRecord(collected, keys.high[keys.count]!, (keys.low[keys.count]! & ~TAG) | kind | odd, lineAt);
  };

  const addRule = (rule: Rule, text: string, line: Line): void => {
    if (isNamed(rule)) collected.hasAddresses ||= mayBeAddress(rule.pattern.name);
    if (rule.badfilter) collected.badfilters.push({ text, rule, lineAt: line.at });
    else if (!isBare(rule)) collected.further.push({ text, rule, lineAt: line.at });
    else {
      const { kind, name } = rule.pattern;
      addBare(wireName(name)!, bareKind(rule.allow, kind), findForm(rule.allow, kind, name, text), line.at);
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
        addRule(parsed.rule, line.text.trim(), line);
        break;
      case 'hosts':
        for (const name of parsed.names)
          addRule(hostsLineRule(parsed.address, name, answering), `${parsed.address} ${name}`, line);
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
  for (let at = startsWithMark(text) ? 3 : 0; at < text.length; ) {
    const feed = text.indexOf(LF, at);
    const next = feed === -1 ? text.length : feed + 1;
    let end = feed === -1 ? next : feed;
    if (end > at && text[end - 1] === CR) end -= 1;
    number += 1;
    if (text[at] === EXCLAMATION_MARK) report.comments += 1;
    else if (readBulkLine(text, at, end, bulk) && !(answering && bulk.form === LOOPBACK_FORM))
      addBare(bulk.name, bulk.kind, bulk.form, at);
    else if (end > at) {
      const line = { text: decoder.decode(text.subarray(at, end)), number, at };
      addLine(parseRule(line.text), line);
    }
    at = next;
  }
  return collected;
}

const startsWithMark = (text: Uint8Array): boolean => text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf;

export function addRecord(collected: Collected, high: number, lower: number, belongsTo: number): void {
  const at = collected.count * RECORD_WORDS;
  if (at === collected.records.length) {
    const grown = new Int32Array(collected.records.length * 2);
    grown.set(collected.records);
    collected.records = grown;
  }
  collected.records[at] = high;
  collected.records[at + 1] = lower;
  collected.records[at + 2] = belongsTo;
  collected.count += 1;
}

/** The text of an address is looked up like a name when an answer is filtered. */
const mayBeAddress = (name: string): boolean => /(?:^|\.)\d+$|:/.test(name);
