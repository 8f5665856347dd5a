// `node:readline` also splits lines at U+2028 and U+2029, which `JSON.stringify` does not escape.

const escapes: Readonly<Record<string, string>> = { '\u2028': '\\u2028', '\u2029': '\\u2029' };

/** JSON without any characters that line readers treat as line ends. */
export const jsonLine = (value: unknown): string => asJsonLine(JSON.stringify(value));

/** Escapes the other line separators in JSON text without LF and CR. */
export const asJsonLine = (json: string): string => json.replace(/[\u2028\u2029]/g, (separator) => escapes[separator]!);

/** Lines of UTF-8 text that end with LF or CRLF only. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // Joined only at the end of a line, because a long line has many chunks.
  let begun: string[] = [];
  for await (const chunk of chunks) {
    const [end = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(end);
    const next = lines.pop();
    if (next === undefined) continue;
    yield withoutReturn(begun.join(''));
    for (const line of lines) yield withoutReturn(line);
    begun = [next];
  }
  const last = begun.join('') + decoder.decode();
  if (last !== '') yield withoutReturn(last);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
