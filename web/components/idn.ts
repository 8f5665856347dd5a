// The scripts that names are written in; a name of two of them is more likely a trick than a word.
const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Thai',
  'Devanagari',
];
// What is written together: Japanese and Korean.
const together = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
];
const byScript = scripts.map((script) => ({ script, letter: new RegExp(`\\p{Script=${script}}`, 'u') }));

/** Whether all letters are of one script, or of those that go together; others than we know are never. */
function isOfOneScript(text: string): boolean {
  const letters = Array.from(text).filter((character) => /\p{L}/u.test(character));
  const found = new Set(letters.map((letter) => byScript.find((known) => known.letter.test(letter))?.script));
  if (found.has(undefined)) return false;
  return found.size <= 1 || together.some((set) => [...found].every((script) => set.includes(script!)));
}

// One that decodes to plain letters is a disguise of that other name.
const isReadable = (label: string): boolean =>
  /[^\x00-\x7f]/.test(label) && isOfOneScript(label) && !/[\p{C}\p{Z}]/u.test(label);

/** As people read it where that is safe, otherwise as it stands on the wire. */
export function showName(name: string): string {
  return name
    .split('.')
    .map((label) => {
      if (!label.toLowerCase().startsWith('xn--')) return label;
      const shown = decodePunycode(label.slice(4).toLowerCase());
      return shown !== undefined && isReadable(shown) ? shown : label;
    })
    .join('.');
}

/** RFC 3492, with its numbers. */
function decodePunycode(text: string): string | undefined {
  const dash = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(dash, 0)));
  let code = 128;
  let i = 0;
  let bias = 72;
  let at = dash + 1;
  while (at < text.length) {
    const before = i;
    let weight = 1;
    for (let k = 36; ; k += 36) {
      const digit = digitOf(text.charCodeAt(at++));
      if (digit === undefined) return undefined;
      i += digit * weight;
      const threshold = Math.min(Math.max(k - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    bias = adapt(i - before, output.length + 1, before === 0);
    code += Math.floor(i / (output.length + 1));
    i %= output.length + 1;
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
    output.splice(i++, 0, String.fromCodePoint(code));
  }
  return output.join('');
}

function digitOf(unit: number): number | undefined {
  if (unit >= 97 && unit <= 122) return unit - 97;
  return unit >= 48 && unit <= 57 ? unit - 22 : undefined;
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2));
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > 455; k += 36) rest = Math.floor(rest / 35);
  return k + Math.floor((36 * rest) / (rest + 38));
}
