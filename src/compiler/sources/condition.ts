import { err, ok, type Result } from '../../kit/result.ts';

/**
 * Evaluates an `!#if` condition. All constants are false, because they stand for browser products; only the literal `true` is true.
 */
export function evaluateCondition(expression: string): Result<boolean, string> {
  const tokens = expression.match(/&&|\|\||[!()]|(?:(?!&&|\|\|)[^!()])+/g) ?? [];
  const words = tokens.map((token) => token.trim()).filter((token) => token !== '');
  if (words.length > MAX_WORDS) return err(`longer than ${MAX_WORDS} words`);
  if (!isBalanced(words)) return err(`Incorrect brackets: ${expression.trim()}`);
  const parser: Parser = { words, at: 0 };
  const value = parseOr(parser);
  if (value === undefined) return err(`Empty condition: ${expression.trim() || 'the condition of !#if is missing'}`);
  return parser.at === words.length ? ok(value) : err(`"${words[parser.at]}" is not expected in: ${expression.trim()}`);
}

// Limits the depth of the recursive parser.
const MAX_WORDS = 500;

type Parser = { readonly words: readonly string[]; at: number };

/** Parsers return undefined if a condition is missing. */
function parseOr(parser: Parser): boolean | undefined {
  let value = parseAnd(parser);
  while (parser.words[parser.at] === '||') {
    parser.at++;
    const right = parseAnd(parser);
    if (value === undefined || (right === undefined && !value)) return undefined;
    value = value || right === true;
  }
  return value;
}

function parseAnd(parser: Parser): boolean | undefined {
  let value = parseNot(parser);
  while (parser.words[parser.at] === '&&') {
    parser.at++;
    const right = parseNot(parser);
    if (value === undefined || right === undefined) return undefined;
    value = value && right;
  }
  return value;
}

function parseNot(parser: Parser): boolean | undefined {
  const word = parser.words[parser.at];
  if (word === undefined || word === '&&' || word === '||' || word === ')') return undefined;
  parser.at++;
  if (word === '!') {
    const value = parseNot(parser);
    return value === undefined ? undefined : !value;
  }
  if (word !== '(') return word === 'true';
  const value = parseOr(parser);
  if (parser.words[parser.at] === ')') parser.at++;
  return value;
}

function isBalanced(words: readonly string[]): boolean {
  let open = 0;
  for (const word of words) {
    if (word === '(') open++;
    if (word === ')' && --open < 0) return false;
  }
  return open === 0;
}
