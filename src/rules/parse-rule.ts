import { parseIp } from '../kit/ip-address.ts';
import { isCosmetic } from './adblock-rule.ts';
import { isHostsLine } from './hosts-line.ts';
import { hostsAddress, readHostsNames } from './hosts-rule.ts';
import { asciiLowerCase } from './punycode.ts';
import { readModifiers } from './read-modifiers.ts';
import { isTooWide, readPattern, readTrustedPattern } from './read-pattern.ts';
import type { Pattern, Rule } from './rule.ts';
import { errorAt, type RuleError, shiftError } from './rule-error.ts';

export type ParsedLine =
  | { readonly kind: 'blank' }
  | { readonly kind: 'comment' }
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'hosts'; readonly address: string; readonly names: readonly string[] }
  | {
      readonly kind: 'ignored';
      readonly why: 'unknown modifier';
      readonly modifier: string;
      readonly fault: RuleError;
    }
  | { readonly kind: 'ignored'; readonly why: 'not for DNS'; readonly fault: RuleError }
  | { readonly kind: 'invalid'; readonly fault: RuleError };

const MAX_LENGTH = 10 * 1024;
/** Explicit pattern for all names, as in AdGuard, usually combined with allow rules. */
const EVERY_NAME = '||*^';

/** Parses one line of a list or of the user rules. Never throws: errors are returned with their columns. */
export const parseRule = (line: string): ParsedLine => parseLine(line, readPattern);

/**
 * Parses a line that is known to be valid, without parsing its regular expression, which would take longer than the rest.
 */
export const parseTrustedRule = (line: string): ParsedLine => parseLine(line, readTrustedPattern);

function parseLine(line: string, read: typeof readPattern): ParsedLine {
  if (line.length > MAX_LENGTH) {
    const reason = `a rule can have at most ${MAX_LENGTH} characters`;
    return { kind: 'invalid', fault: errorAt(reason, MAX_LENGTH, line.length - MAX_LENGTH) };
  }
  const parsed = parseTrimmed(line.trim(), read);
  const indent = line.length - line.trimStart().length;
  return 'fault' in parsed ? { ...parsed, fault: shiftError(parsed.fault, indent) } : parsed;
}

function parseTrimmed(text: string, read: typeof readPattern): ParsedLine {
  if (text === '') return { kind: 'blank' };
  if (isComment(text)) return { kind: 'comment' };
  const address = isHostsLine(asciiLowerCase(text)) ? hostsAddress(text) : undefined;
  if (address !== undefined) return parseHosts(text, address);
  // Domain lists may have trailing comments, like hosts files.
  const bare = /^([\w.:\u{80}-\u{10ffff}-]+)\s+#/u.exec(text)?.[1];
  return parseAdblock(bare ?? text, read);
}

/** `!`, `#` and the title `[Adblock Plus 2.0]`. A `#` may also begin a generic cosmetic rule. */
const isComment = (text: string): boolean =>
  text.startsWith('!') || /^#(?!@?[$?%]{0,2}#[^#\s])/.test(text) || /^\[[\w .+-]*\]$/.test(text);

function parseHosts(text: string, address: string): ParsedLine {
  const names = readHostsNames(text);
  return names.ok ? { kind: 'hosts', address, names: names.value } : { kind: 'invalid', fault: names.error };
}

function parseAdblock(text: string, readIts: typeof readPattern): ParsedLine {
  const { allow, pattern, patternStart, modifiers, modifiersStart } = splitRule(text);
  if (!pattern.startsWith('/') && isCosmetic(text)) {
    const reason = 'a DNS filter sees only host names and cannot hide parts of a page';
    return { kind: 'ignored', why: 'not for DNS', fault: errorAt(reason, 0, text.length) };
  }
  const read = readModifiers(modifiers, allow);
  if (!read.ok) {
    const fault = shiftError(read.error.fault, modifiersStart);
    const modifier = read.error.unknown;
    return modifier === undefined
      ? { kind: 'invalid', fault }
      : { kind: 'ignored', why: 'unknown modifier', modifier, fault };
  }
  const found = readIts(pattern);
  if (!found.ok) return { kind: 'invalid', fault: shiftError(found.error, patternStart) };
  const rule: Rule = { allow, pattern: found.value, important: false, badfilter: false, ...read.value.meaning };
  const why = whyMeaningless(rule, pattern, read.value.limitsQueries);
  return why === undefined
    ? { kind: 'rule', rule }
    : { kind: 'invalid', fault: errorAt(why, patternStart, pattern.length) };
}

type RuleParts = {
  readonly allow: boolean;
  readonly pattern: string;
  readonly patternStart: number;
  readonly modifiers: string;
  readonly modifiersStart: number;
};

// A regular expression ends with the first slash that is followed by nothing or by modifiers. A `$` before it is part
// of the expression, and a slash after it is part of a value.
const expressionEnd = '(?:$|\\$(?:$|~?[a-z][\\w-]*(?:[=,]|$)))';
const expression = new RegExp(`^/(?:[^\\\\/]|\\\\.|/(?!${expressionEnd}))*/(?=${expressionEnd})`, 's');

/** Splits a rule. A name contains no `$`, so the first one separates; values of modifiers may contain more. */
function splitRule(text: string): RuleParts {
  const allow = text.startsWith('@@');
  const patternStart = allow ? 2 : 0;
  const rest = text.slice(patternStart);
  const end = expression.exec(rest)?.[0].length ?? rest.indexOf('$');
  const pattern = end === -1 ? rest : rest.slice(0, end);
  const modifiers = rest.slice(pattern.length + 1);
  return { allow, pattern, patternStart, modifiers, modifiersStart: text.length - modifiers.length };
}

function whyMeaningless(rule: Rule, pattern: string, limitsQueries: boolean): string | undefined {
  const verb = rule.rewrite ? 'rewrite' : rule.allow ? 'allow' : 'block';
  if (isTooWide(rule.pattern) && !limitsQueries && pattern !== EVERY_NAME) {
    return `the rule would ${verb} nearly everything: write a longer name, or a modifier such as client or denyallow`;
  }
  if (rule.denyallow && isAddress(rule.pattern)) return 'denyallow cannot be used with an IP address';
  return undefined;
}

const isAddress = (pattern: Pattern): boolean => 'name' in pattern && parseIp(pattern.name) !== undefined;
