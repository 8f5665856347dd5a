import { glyphs } from './glyphs.ts';

const OPEN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"';

/** An inline SVG in the current text colour. */
export const pathIcon = (path: string): string => `${OPEN} fill="currentColor"><path d="${path}"/></svg>`;

/**
 * The initials of a name in a rounded frame, drawn as strokes: `<text>` renders differently on each device, and some
 * clients allow only paths.
 */
export function monogram(name: string, id: string): string {
  const letters = initials(name) || initials(id);
  const strokes = letters.length === 1 ? glyph(letters, 9.3) : glyph(letters[0]!, 5) + glyph(letters[1]!, 13.7);
  const style = 'fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"';
  return `${OPEN} ${style}><path d="M6 2h12a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V6a4 4 0 0 1 4-4z${strokes}"/></svg>`;
}

function initials(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase();
  const words = plain.match(/[A-Z0-9]+/g) ?? [];
  return words
    .slice(0, 2)
    .map((word) => word[0]!)
    .join('');
}

const TOP = 8;
const SCALE = 4 / 3;

/** Glyphs are polylines on a grid of 4 by 6: two digits are a point, a space starts a new stroke. */
function glyph(letter: string, left: number): string {
  const coordinate = (from: number, digit: string): number => Math.round((from + Number(digit) * SCALE) * 10) / 10;
  return glyphs[letter]!.split(' ')
    .map((line) => line.match(/\d\d/g)!.map(([x, y]) => `${coordinate(left, x!)} ${coordinate(TOP, y!)}`))
    .map((points) => `M${points.join('L')}`)
    .join('');
}
