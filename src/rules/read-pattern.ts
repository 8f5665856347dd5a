import { formatIp, parseIp } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { findLabelError, findNonAscii, readName } from './domain-name.ts';
import { parseIpPattern, whyAmbiguousAddress } from './ip-pattern.ts';
import { asciiName } from './punycode.ts';
import { readRegex } from './regex/regex.ts';
import type { Pattern } from './rule.ts';
import { errorAt, type RuleError, shiftError } from './rule-error.ts';

const MIN_LOOSE_LENGTH = 3;
const EVERYTHING: Pattern = { kind: 'wildcard', start: 'anywhere', pieces: [], end: 'anywhere' };

const isExpression = (text: string): boolean => text.length > 1 && text.startsWith('/') && text.endsWith('/');

/** Like `readPattern`, for text that is known to be valid: a regular expression is not parsed. */
export const readTrustedPattern = (text: string): Result<Pattern, RuleError> =>
  isExpression(text) ? ok({ kind: 'expression', source: text.slice(1, -1) }) : readPattern(text);

/** Parses the pattern of a rule: its text without `@@` and modifiers. */
export function readPattern(text: string): Result<Pattern, RuleError> {
  if (isExpression(text)) return readRegular(text.slice(1, -1));
  // "://" is directly followed by the name: in lists for browsers it marks the start.
  const start = /^(?::\/\/|\|{0,2})/.exec(text)![0];
  const end = /(?:\^\|?|\|)?$/.exec(text.slice(start.length))![0];
  const body = text.slice(start.length, text.length - end.length);
  if (body === '' && end !== '') return err(errorAt('the pattern has no name', 0, text.length));
  if (/^\**$/.test(body)) return ok(EVERYTHING);

  const fault = findPartOfAddress(text) ?? shiftError(findBodyError(body, start), start.length);
  if (fault) return err(fault);
  const name = canonical(body);
  return ok(isWholeName(text) ? { kind: 'exact', name: withoutDot(name) } : patternOf(start, name, end));
}

/** Whether a pattern matches far more names than intended. */
export const isTooWide = (pattern: Pattern): boolean =>
  pattern.kind === 'wildcard' && pattern.start === 'anywhere' && pattern.pieces.join('').length < MIN_LOOSE_LENGTH;

function readRegular(source: string): Result<Pattern, RuleError> {
  const expression = readRegex(source);
  return expression.ok ? ok({ kind: 'expression', source }) : err(shiftError(expression.error, 1));
}

/** Digits and dots without a marker must be a complete address; otherwise they would match unintended addresses. */
function findPartOfAddress(text: string): RuleError | undefined {
  const ip = parseIpPattern(text);
  const why = ip?.prefix === '' ? whyAmbiguousAddress(ip, true) : undefined;
  return why === undefined ? undefined : errorAt(why, 0, text.length);
}

function findBodyError(body: string, start: string): RuleError | undefined {
  if (isIpv6(body)) return undefined;
  const leadingDot = start === '' ? undefined : `a name cannot start with a dot: remove it after "${start}"`;
  return findNonAscii(body.replaceAll('*', 'x')) ?? findLabelError(body, leadingDot);
}

/** The text of an address, or of a part of one with `*` for the rest. */
const isIpv6 = (body: string): boolean =>
  parseIp(body)?.family === 'V6' || /^(?=.*:.*:)(?=.*(?:\*|:$))[\da-f:*]+$/i.test(body);

function canonical(body: string): string {
  const ip = parseIp(body);
  return ip ? formatIp(ip) : asciiName(body);
}

/** A complete name or address matches only itself. A single word does not: it is a substring of names. */
const isWholeName = (text: string): boolean =>
  parseIp(text) !== undefined || (/[^.]\../u.test(text) && readName(text).ok);

const withoutDot = (name: string): string => name.replace(/\.$/, '');

function patternOf(marks: string, body: string, end: string): Pattern {
  const start = body.startsWith('*') || marks === '' ? 'anywhere' : marks === '||' ? 'label' : 'name';
  const isEnded = end !== '' && !body.endsWith('*');
  const pieces = (isEnded ? withoutDot(body) : body).split('*').filter((piece) => piece !== '');
  const [name = '', ...others] = pieces;
  if (isEnded && others.length === 0) {
    if (start === 'label') return { kind: 'domain', name };
    if (start === 'name') return { kind: 'exact', name };
    if (name.startsWith('.') && name !== '.') return { kind: 'subdomains', name: name.slice(1) };
  }
  return { kind: 'wildcard', start, pieces, end: isEnded ? 'name' : 'anywhere' };
}
