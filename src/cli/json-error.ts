/** Index of the first JSON syntax error; undefined for valid JSON. The parser of the engine reports it only for some errors. */
export function findJsonError(text: string): number | undefined {
  const rest = { text, at: 0 };
  skipSpace(rest);
  if (!skipValue(rest, 0)) return rest.at;
  skipSpace(rest);
  return rest.at === text.length ? undefined : rest.at;
}

type Rest = { readonly text: string; at: number };

const MAX_DEPTH = 1000;
const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Each function advances `at` past what it skipped, or to the error if it returns false. */
function skipValue(rest: Rest, depth: number): boolean {
  const opening = rest.text[rest.at];
  if (opening === '{') return skipItems(rest, '}', depth, skipMember);
  if (opening === '[') return skipItems(rest, ']', depth, skipValue);
  return skipMatch(rest, scalar);
}

function skipItems(rest: Rest, closing: string, depth: number, skipItem: typeof skipValue): boolean {
  if (depth > MAX_DEPTH) return false;
  rest.at++;
  skipSpace(rest);
  if (skipText(rest, closing)) return true;
  for (;;) {
    if (!skipItem(rest, depth + 1)) return false;
    skipSpace(rest);
    if (skipText(rest, closing)) return true;
    if (!skipText(rest, ',')) return false;
    skipSpace(rest);
  }
}

function skipMember(rest: Rest, depth: number): boolean {
  if (rest.text[rest.at] !== '"' || !skipMatch(rest, scalar)) return false;
  skipSpace(rest);
  if (!skipText(rest, ':')) return false;
  skipSpace(rest);
  return skipValue(rest, depth);
}

function skipMatch(rest: Rest, pattern: RegExp): boolean {
  pattern.lastIndex = rest.at;
  const length = pattern.exec(rest.text)?.[0].length ?? 0;
  rest.at += length;
  return length > 0;
}

function skipText(rest: Rest, text: string): boolean {
  if (!rest.text.startsWith(text, rest.at)) return false;
  rest.at += text.length;
  return true;
}

function skipSpace(rest: Rest): void {
  while (rest.at < rest.text.length && ' \t\r\n'.includes(rest.text[rest.at]!)) rest.at++;
}
