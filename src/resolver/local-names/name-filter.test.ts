import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wireName } from '../../kit/wire-name.ts';
import { createNameFilter, openNameFilter } from './name-filter.ts';

const name = (text: string): Uint8Array => wireName(text)!;
const filterOf = (names: readonly string[], zones: readonly string[] = [], matchesSingleLabels = false) =>
  createNameFilter({ names: names.map(name), zones: zones.map(name), matchesSingleLabels });

/** Not at offset 0, as in a message. */
function matches(filter: ReturnType<typeof filterOf>, text: string): boolean {
  const wire = name(text);
  const bytes = new Uint8Array(wire.length + 20).fill(1);
  bytes.set(wire, 7);
  return openNameFilter(filter.memory).mayMatch(bytes, 7, 7 + wire.length);
}

test('finds names in any case, zones and all below them, and single labels', () => {
  const filter = filterOf(['nas.home'], ['lan', 'corp.example'], true);
  for (const found of ['nas.home', 'NAS.Home', 'lan', 'a.lan', 'a.b.LAN', 'x.corp.example', 'printer'])
    assert.ok(matches(filter, found), found);
  for (const other of ['home', 'x.nas.home', 'as.home', 'plan.example', 'example', 'xcorp.example', 'a.example'])
    assert.equal(matches(filter, other), other === 'home' || other === 'example', other);
  assert.ok(!matches(filterOf(['nas.home']), 'printer'));
  assert.ok(!matches(filterOf(['nas.home']), '.'));
});

test('among 10,000 names none is missed, and other names hardly ever match', () => {
  const all = Array.from({ length: 10_000 }, (_, i) => `host-${i}.site-${i % 17}.example`);
  const filter = filterOf(all);
  assert.ok(all.every((each) => matches(filter, each)));
  const wrong = all.filter((each) => matches(filter, `x${each}`)).length;
  assert.ok(wrong < 5, `${wrong} false matches`);
});
