import { err, ok, type Result } from '../kit/result.ts';
import { asciiName, isAscii } from './punycode.ts';
import { errorAt, type RuleError } from './rule-error.ts';

const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;
// A character outside the basic plane takes two UTF-16 units and at least one byte of a name.
const MAX_UNITS = 2 * (MAX_NAME_LENGTH + 1);

const TOO_LONG = `a host name can have at most ${MAX_NAME_LENGTH} characters`;
const LONG_LABEL = `a label of a host name can have at most ${MAX_LABEL_LENGTH} characters`;
const NO_LETTER = 'this character is not a letter';
const MIXED = 'a "*" cannot be combined with non-ASCII letters: write this part as xn--…';

// Characters that names cannot contain; the two joiners are valid in some scripts (RFC 5892, appendix A).
const nonAscii = /[^\w.\u{80}-\u{10ffff}-]|(?![\u200c\u200d])[\p{C}\p{Z}]/u;

const BLANK = 'a name cannot contain a space; a comment needs a separate line that starts with "!" or "#"';
const whyNonAscii: Readonly<Record<string, string>> = {
  '/': 'a DNS filter sees only host names: remove the path after "/"',
  ':': 'a DNS filter sees only host names: remove the protocol and the port',
  '?': 'a DNS filter sees only host names: remove the query after "?"',
  '*': 'a "*" is not allowed in this name',
  '^': '"^" is only allowed at the end of a name',
  '|': '"|" is only allowed at the start and the end of a pattern',
};

/** A host name as it is matched: ASCII in lower case, without a trailing dot. */
export function readName(text: string): Result<string, RuleError> {
  const fault = findNonAscii(text) ?? findLabelError(text, 'a leading dot is not allowed');
  return fault ? err(fault) : ok(asciiName(text).replace(/\.$/, ''));
}

/** The first invalid character of a host name; white space is reported first, because a comment may follow it. */
export function findNonAscii(text: string): RuleError | undefined {
  const found = /\s/.exec(text) ?? nonAscii.exec(text);
  if (!found) return undefined;
  const [character] = found;
  return errorAt(
    /\s/.test(character) ? BLANK : (whyNonAscii[character] ?? `${shown(character)} is not allowed in a host name`),
    found.index,
    character.length,
  );
}

// Invisible characters are shown by their code point.
const shown = (character: string): string =>
  /[\p{C}\p{Z}]/u.test(character)
    ? `the character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    : `"${character}"`;

/**
 * The first error in the labels. Labels may contain `*`, and a trailing dot is allowed; `leadingDot` is the reason to
 * reject a leading dot, if it is rejected.
 */
export function findLabelError(text: string, leadingDot?: string): RuleError | undefined {
  if (text.length > MAX_UNITS) return errorAt(TOO_LONG, 0, text.length);
  if (text === '' || text === '.') return errorAt('a host name is missing', 0, text.length);
  const labels = text.split(/[.\u3002\uff0e\uff61]/);
  let start = 0;
  let length = 0;
  for (const [nth, label] of labels.entries()) {
    const ascii = asciiName(label);
    const isEmpty = label === '' && nth < labels.length - 1;
    if (isEmpty && nth > 0) return errorAt('a label is empty: remove the extra dot', start, 1);
    if (isEmpty && leadingDot !== undefined) return errorAt(leadingDot, start, 1);
    if (/\*/.test(label) && !isAscii(label)) return errorAt(MIXED, start, label.length);
    // Checked after normalisation, because a few characters normalise to punctuation.
    if (nonAscii.test(ascii.replaceAll('*', ''))) return errorAt(NO_LETTER, start, label.length);
    if (ascii.split('*').some((part) => part.length > MAX_LABEL_LENGTH))
      return errorAt(LONG_LABEL, start, label.length);
    start += label.length + 1;
    length += ascii.length + 1;
  }
  return length - 1 > MAX_NAME_LENGTH + (text.endsWith('.') ? 1 : 0) ? errorAt(TOO_LONG, 0, text.length) : undefined;
}
