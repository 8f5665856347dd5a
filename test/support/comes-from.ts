import assert from 'node:assert/strict';
import { domainToASCII } from 'node:url';
import { type TransformationName, transformationNames } from '../../src/compiler/index.ts';

// A model of the documented result of each transformation, written with plain strings and without code of the compiler. The model drops
// nothing, so the lines of the compiler must be a subsequence of the model's lines.

const isComment = (line: string): boolean => /^(!|# |#$|####)/.test(line);
const isHosts = (line: string): boolean => /^([a-f0-9.:\][]+)(%[a-z0-9]+)?\s+([^#]+)(#.*)?$/.test(line);
const isCosmetic = (line: string): boolean => /##|#@#|#@?[$?%]{1,2}#|\$@?\$/.test(line);
const isDomain = (line: string): boolean =>
  line.length <= 255 &&
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+\.?$/i.test(line) &&
  line.split('.').every((label) => label.length <= 63);

/** The rule before its modifiers, and the modifiers, unchanged. */
function parts(rule: string): { pattern: string; modifiers: string[] } {
  const bare = rule.replace(/^@@/, '');
  const dollar = [...bare.matchAll(/(?<!\\)\$/g)].at(-1)?.index;
  const isExpression = bare.startsWith('/') && bare.endsWith('/') && !bare.includes('replace=');
  if (dollar === undefined || isExpression) return { pattern: rule, modifiers: [] };
  const before = rule.length - bare.length + dollar;
  return { pattern: rule.slice(0, before), modifiers: rule.slice(before + 1).split(/(?<!\\),/) };
}

const writes: Readonly<Partial<Record<TransformationName, (line: string) => string[]>>> = {
  ConvertToAscii: (line) => [isComment(line) || (isCosmetic(line) && !isHosts(line)) ? line : asciiOf(line)],
  TrimLines: (line) => [withoutBlanks(line)],
  Compress: (line) => {
    const names = isHosts(line) ? line.replace(/#.*$/s, '').split(/\s+/).slice(1) : isDomain(line) ? [line] : [];
    const rules = names.filter((name) => name !== '').map((name) => `||${name}^`);
    return rules.length > 0 ? rules : [line];
  },
  RemoveModifiers: (line) => [withoutModifiers(line.trim())],
  InvertAllow: (line) => [
    line === '' || isComment(line) || isHosts(line) || line.startsWith('@@') ? line : `@@${line}`,
  ],
  ValidateAllowIp: (line) => [withPlainAddress(line)],
  ValidateAllowIpAndPublicSuffix: (line) => [withPlainAddress(line)],
};

function withoutBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t'.includes(line[end - 1]!)) end--;
  return line.slice(0, end).replace(/^[ \t]+/, '');
}

const asciiOf = (line: string): string =>
  line.replace(/[^\s^$|=]+/g, (word) => {
    if (!/.\../s.test(word) || /^[\0-\x7f]*$/.test(word) || /[/:?#@%\\<>[\]]/.test(word)) return word;
    return domainToASCII(word) || word;
  });

function withoutModifiers(line: string): string {
  if (isComment(line) || isCosmetic(line)) return line;
  const { pattern, modifiers } = parts(line);
  // The comment of a hosts line.
  if (isHosts(line) && pattern.includes('#')) return line;
  const kept = modifiers.filter((modifier) => !/^(third-party|3p|all|document|doc|popup|network)(=|$)/s.test(modifier));
  if (kept.length === modifiers.length) return line;
  return kept.some((modifier) => modifier !== '') ? `${pattern}$${kept.join(',')}` : pattern;
}

function withPlainAddress(line: string): string {
  if (/^[!#]/.test(line)) return line;
  const { pattern, modifiers } = parts(line.trim());
  const octet = '(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)';
  const whole = new RegExp(`^(@@)?\\|{0,2}(${octet}(?:\\.${octet}){3})(?:\\^\\|?)?$`).exec(pattern);
  const subnet = new RegExp(`^(@@)?(\\|{0,2})(${octet}(?:\\.${octet}){2})(\\.|\\.{1,2}\\*)$`).exec(pattern);
  // Two dots are kept only if the prefix is complete.
  const ending = subnet?.[2] === '||' || subnet?.[4] === '.' ? subnet[4] : '.*';
  const address = whole ? `||${whole[2]}^` : subnet && `||${subnet[3]}${ending}`;
  const written = `${(whole ?? subnet)?.[1] ?? ''}${address}`;
  if (!address || written === pattern) return line;
  const kept = modifiers
    .filter((modifier) => modifier !== '')
    .map((modifier) => {
      const [name = '', value = ''] = modifier.replaceAll('\\,', ',').split('=');
      return value === '' ? name : `${name}=${value}`;
    });
  return kept.length > 0 ? `${written}$${kept.join(',')}` : written;
}

/** All lines that these transformations may produce, in the required order. */
function model(lines: readonly string[], steps: readonly TransformationName[]): string[] {
  let written = lines.map((line) => line.toWellFormed());
  for (const name of transformationNames) {
    const write = steps.includes(name) ? writes[name] : undefined;
    if (write) written = written.flatMap(write);
  }
  return steps.includes('InsertFinalNewLine') ? [...written, ''] : written;
}

/** Fails for a line that is neither of the input nor its documented rewriting, or that changed places. */
export function assertComesFrom(
  found: readonly string[],
  lines: readonly string[],
  steps: readonly TransformationName[],
): void {
  const possible = model(lines, steps);
  let at = 0;
  for (const line of found) {
    while (at < possible.length && possible[at] !== line) at++;
    assert.ok(at < possible.length, `${steps.join(', ')}: ${JSON.stringify(line)} does not come from the input`);
    at++;
  }
  // Only certain steps may drop lines.
  const droppers = /^(RemoveComments|Compress|Validate.*|Deduplicate|RemoveEmptyLines)$/;
  const closed = possible.at(-1) === '' && possible.at(-2)?.trim() === '' ? 1 : 0;
  if (!steps.some((step) => droppers.test(step))) assert.ok(possible.length - found.length <= closed);
}
