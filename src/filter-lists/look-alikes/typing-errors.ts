const KEYBOARD_ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'] as const;

/** Adjacent keys: left, right, two above and two below, because rows are shifted by half a key. */
const neighbours: ReadonlyMap<string, string> = new Map(
  KEYBOARD_ROWS.flatMap((row, y) =>
    Array.from(row, (key, x) => {
      const [above, below] = [KEYBOARD_ROWS[y - 1], KEYBOARD_ROWS[y + 1]];
      const touching = [row[x - 1], row[x + 1], above?.[x], above?.[x + 1], below?.[x - 1], below?.[x]];
      return [key, touching.filter((each) => each !== undefined).join('')] as const;
    }),
  ),
);
// Keyboards with QWERTZ exchange these two.
const exchanged: ReadonlyMap<string, string> = new Map([
  ['y', 'z'],
  ['z', 'y'],
]);

/** ASCII digits and letters that look alike: reading errors, not typing errors. */
const asciiLookAlikes: readonly (readonly [string, string])[] = [
  ['o', '0'],
  ['l', '1'],
  ['i', '1'],
  ['l', 'i'],
  ['i', 'l'],
  ['e', '3'],
  ['s', '5'],
  ['m', 'rn'],
  ['w', 'vv'],
  ['d', 'cl'],
];

/** Labels that differ from this one by one typical error. */
export function typingErrors(label: string): ReadonlySet<string> {
  const errors = new Set<string>();
  for (let at = 0; at < label.length; at += 1) {
    const [before, char, after] = [label.slice(0, at), label[at]!, label.slice(at + 1)];
    // Omitted, doubled, and exchanged with the next one.
    errors.add(before + after);
    errors.add(before + char + char + after);
    if (after) errors.add(before + after[0] + char + after.slice(1));
    for (const wrong of (neighbours.get(char) ?? '') + (exchanged.get(char) ?? '')) errors.add(before + wrong + after);
    for (const [right, wrong] of asciiLookAlikes) if (char === right) errors.add(before + wrong + after);
  }
  // All occurrences, such as in g00gle.
  for (const [right, wrong] of asciiLookAlikes) errors.add(label.replaceAll(right, wrong));
  errors.add(`www${label}`);
  errors.delete(label);
  return new Set([...errors].filter(isHostLabel));
}

const isHostLabel = (label: string): boolean => /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label) && !/^..--/.test(label);
