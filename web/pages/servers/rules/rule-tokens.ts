export type TokenKind = 'comment' | 'allow' | 'pattern' | 'expression' | 'sign' | 'modifier' | 'value';
export type Token = { readonly kind: TokenKind; readonly from: number; readonly to: number };

const expression = /^\/(?:[^\\/]|\\.)+\/(?=\$|$)/;

/** Tokens for syntax highlighting only; the parser decides the meaning of a line. */
export function ruleTokens(line: string): Token[] {
  const start = line.length - line.trimStart().length;
  const text = line.trim();
  if (text === '') return [];
  if (/^[!#]|^\[.*\]$/.test(text)) return [{ kind: 'comment', from: start, to: start + text.length }];
  const tokens: Token[] = [];
  const add = (kind: TokenKind, from: number, to: number): void => {
    if (to > from) tokens.push({ kind, from: start + from, to: start + to });
  };
  const begin = text.startsWith('@@') ? 2 : 0;
  add('allow', 0, begin);
  const match = expression.exec(text.slice(begin));
  const dollar = text.indexOf('$', begin + (match?.[0].length ?? 0));
  const end = dollar === -1 ? text.length : dollar;
  if (match) add('expression', begin, end);
  else addPattern(text, begin, end, add);
  if (dollar === -1) return tokens;
  add('sign', dollar, dollar + 1);
  let at = dollar + 1;
  for (const part of text.slice(at).split(/(?<!\\),/)) {
    const equals = part.indexOf('=');
    add('modifier', at, at + (equals === -1 ? part.length : equals));
    if (equals !== -1) add('sign', at + equals, at + equals + 1);
    if (equals !== -1) add('value', at + equals + 1, at + part.length);
    at += part.length;
    add('sign', at, Math.min(at + 1, text.length));
    at += 1;
  }
  return tokens;
}

function addPattern(
  text: string,
  begin: number,
  end: number,
  add: (kind: TokenKind, from: number, to: number) => void,
) {
  for (const { 0: piece, index } of text.slice(begin, end).matchAll(/[|^*]+|[^|^*]+/g))
    add(/^[|^*]/.test(piece) ? 'sign' : 'pattern', begin + index, begin + index + piece.length);
}
