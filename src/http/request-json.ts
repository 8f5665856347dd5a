import { err, ok, type Result } from '../kit/result.ts';

const MAX_DEPTH = 32;

/** Parses the JSON of a request, or returns an error message. */
export function parseRequestJson(body: Buffer | string): Result<unknown, string> {
  const text = typeof body === 'string' ? body : body.toString();
  // Limits the nesting depth, because parsing a depth of a million takes seconds.
  if (isTooDeep(text)) return err(`lists and objects within each other more than ${MAX_DEPTH} deep`);
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err((error as SyntaxError).message);
  }
}

/** Scans brackets only and skips strings with the fast search of the engine. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfText(text, at);
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true;
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) depth--;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}
