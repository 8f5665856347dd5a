import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachBlock, pick } from '../src/compiler/lines/blocks.ts';
import type { Lines } from '../src/compiler/lines/lines.ts';
import { linesInWorkspace } from '../test/support/kernels-workspace.ts';

function sign(lines: Lines): number {
  let unnormalized = 0;
  lines.text.kernels.clearBloom();
  eachBlock(lines, ({ kernels }, _, count) => {
    unnormalized += kernels.addUnnormalized(count);
  });
  return unnormalized;
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '^', 'é'), maxLength: 20 });

test('a line that equals an earlier one is picked at any position', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), fc.nat(), (texts, chosen) => {
      const rule = texts[chosen % texts.length]!;
      const lines = linesInWorkspace([rule, ...texts, rule]);
      lines.clear.fill(1);
      lines.clear[0] = 0;
      assert.equal(sign(lines), 1);
      const picked = [...pick(lines, 'pickInBloom')];
      for (const [at, other] of [rule, ...texts, rule].entries()) if (other === rule) assert.ok(picked.includes(at));
    }),
    { numRuns: 1000 },
  );
});

test('few other lines are picked', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `||name-${at * 7919}.example.com^`);
  const lines = linesInWorkspace([...names, ...names.map((name) => name.replace('name', 'mean'))]);
  lines.clear.fill(1, names.length);
  assert.equal(sign(lines), names.length);
  const picked = pick(lines, 'pickInBloom');
  assert.ok(picked.length < names.length * 1.1, `${picked.length}`);
});

test('earlier signatures are cleared', () => {
  const lines = linesInWorkspace(['a', 'b']);
  sign(lines);
  lines.text.kernels.clearBloom();
  assert.deepEqual([...pick(lines, 'pickInBloom')], []);
});
