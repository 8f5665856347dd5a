import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const css = readFileSync(new URL('base.css', import.meta.url), 'utf8');

// Page and cards of Mantine: white and gray 0, dark 7 and dark 6.
const backgrounds = { light: ['#ffffff', '#f8f9fa'], dark: ['#242424', '#2e2e2e'] } as const;

/** Colour tokens of a scheme by name. */
function tokensOf(scheme: string): Map<string, string> {
  const block = css.split(`:root[data-mantine-color-scheme="${scheme}"] {`)[1]!.split('}')[0]!;
  return new Map([...block.matchAll(/(--[\w-]+): (#[\da-f]{6});/g)].map(([, name, colour]) => [name!, colour!]));
}

/** Relative luminance and contrast of WCAG 2.2. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

for (const scheme of ['light', 'dark'] as const)
  test(`${scheme}: texts have a contrast of 4.5:1 and graphics of 3:1 on the page and on cards`, () => {
    const tokens = tokensOf(scheme);
    assert.ok(tokens.size >= 10, `${tokens.size} tokens`);
    const low = [...tokens].flatMap(([name, colour]) =>
      backgrounds[scheme].flatMap((background) => {
        const ratio = contrast(colour, background);
        return ratio >= (name.startsWith('--graphic-') ? 3 : 4.5)
          ? []
          : [`${name} ${ratio.toFixed(2)}:1 on ${background}`];
      }),
    );
    assert.deepEqual(low, []);
  });
