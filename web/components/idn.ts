// Scripts that may be displayed. A label that mixes two of them is probably a homograph attack.
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
// Combinations that occur in Japanese and Korean.
const allowedMixes = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
];
const byScript = scripts.map((script) => ({ script, letter: new RegExp(`\\p{Script=${script}}`, 'u') }));

/** Whether all letters belong to one known script or to an allowed combination. */
function isSingleScript(text: string): boolean {
  const letters = Array.from(text).filter((character) => /\p{L}/u.test(character));
  const used = new Set(letters.map((letter) => byScript.find((entry) => entry.letter.test(letter))?.script));
  if (used.has(undefined)) return false;
  return used.size <= 1 || allowedMixes.some((set) => [...used].every((script) => set.includes(script!)));
}

// Punycode that decodes to plain ASCII imitates another domain.
const isSafeToDisplay = (label: string): boolean =>
  /[^\x00-\x7f]/.test(label) && isSingleScript(label) && !/[\p{C}\p{Z}]/u.test(label);

/** Decodes IDN labels for display where that is safe; other labels stay in Punycode. */
export function displayDomain(name: string): string {
  return name
    .split('.')
    .map((label) => {
      if (!label.toLowerCase().startsWith('xn--')) return label;
      const decoded = decodePunycode(label.slice(4).toLowerCase());
      return decoded !== undefined && isSafeToDisplay(decoded) ? decoded : label;
    })
    .join('.');
}

/** Punycode decoder (RFC 3492, section 6.2). */
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
