import assert from 'node:assert/strict';

/** Matches one image with one path, and nothing that could execute, load or break out of an attribute. */
export function assertInlineSvg(svg: string): void {
  assert.match(
    svg,
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 24 24"( [a-z-]+="[\w.]+")+><path d="[^"<>&]+"\/><\/svg>$/,
  );
  const path = / d="([^"]*)"/.exec(svg)![1]!;
  assert.match(path, /^[Mm][\d\s,.eE+MmZzLlHhVvCcSsQqTtAa-]*$/);
}
