// RFC 3492, with the parameters that its section 5 gives for host names.
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_CODE_POINT = 128;

/** Converts a name to lower-case ASCII, with punycode labels if needed. Invalid text stays invalid. */
export const asciiName = (name: string): string =>
  isAscii(name) ? asciiLowerCase(name) : unicodeName(name).split('.').map(asciiLabel).join('.');

export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** DNS folds ASCII only; capitals of other scripts are different bytes. */
export const asciiLowerCase = (text: string): string => text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

// Users type the full stop of their script between labels (RFC 3490, section 3.1). Folded character by character:
// folding a whole word would change a sigma at its end.
const unicodeName = (name: string): string =>
  Array.from(name.replace(/[\u3002\uff0e\uff61]/g, '.'), (letter) => letter.toLowerCase())
    .join('')
    .normalize('NFC');

const asciiLabel = (label: string): string => (isAscii(label) ? label : `xn--${punycode(label)}`);

/** Section 6.3: the ASCII characters of a label, then the deltas of the others. */
export function punycode(label: string): string {
  const points = Array.from(label, (character) => character.codePointAt(0)!);
  const basic = points.filter((point) => point < FIRST_CODE_POINT);
  let written = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
  let handled = basic.length;
  let reached = FIRST_CODE_POINT;
  let delta = 0;
  let bias = FIRST_BIAS;
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= reached));
    delta += (next - reached) * (handled + 1);
    reached = next;
    for (const point of points) {
      if (point < reached) delta += 1;
      if (point !== reached) continue;
      written += variableLength(delta, bias);
      bias = adapted(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    reached += 1;
  }
  return written;
}

/** Section 3.3: a variable-length integer. */
function variableLength(number: number, bias: number): string {
  let written = '';
  let rest = number;
  for (let k = BASE; ; k += BASE) {
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
    if (rest < threshold) return written + digit(rest);
    written += digit(threshold + ((rest - threshold) % (BASE - threshold)));
    rest = Math.floor((rest - threshold) / (BASE - threshold));
  }
}

const digit = (value: number): string => 'abcdefghijklmnopqrstuvwxyz0123456789'[value]!;

/** Section 6.1. */
function adapted(delta: number, handled: number, first: boolean): number {
  let scaled = Math.floor(delta / (first ? DAMP : 2));
  scaled += Math.floor(scaled / handled);
  let k = 0;
  while (scaled > ((BASE - T_MIN) * T_MAX) / 2) {
    scaled = Math.floor(scaled / (BASE - T_MIN));
    k += BASE;
  }
  return k + Math.floor(((BASE - T_MIN + 1) * scaled) / (scaled + SKEW));
}
