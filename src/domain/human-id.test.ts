import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHumanId } from './human-id.ts';

test('a device names its type, its server and itself', () => {
  assert.deepEqual(parseHumanId('adr-abcd1234-My-Phone'), {
    type: 'ANDROID',
    profile: 'abcd1234',
    humanId: 'my-phone',
    name: 'My Phone',
  });
});

test('case does not matter, but for the name that people read', () => {
  assert.deepEqual(parseHumanId('WIN-ABCD1234-John')?.humanId, parseHumanId('win-abcd1234-jOHN')?.humanId);
  assert.equal(parseHumanId('WIN-ABCD1234-John')?.name, 'John');
});

const names: readonly (readonly [given: string, name: string | undefined])[] = [
  ['otr-abcd1234-a', 'a'],
  ['mac-abcd1234-John--Doe-Mac', 'John-Doe Mac'],
  ['ios-abcd1234-Caf\u00e9!', 'Caf'],
  [`lnx-abcd1234-${'a'.repeat(60)}`, 'a'.repeat(50)],
  [`lnx-abcd1234-${'a'.repeat(49)}-b`, 'a'.repeat(49)],
  ['adr-abcd1234-', undefined],
  ['adr-abcd1234--a', undefined],
  ['adr-abcd1234-a-', undefined],
  ['adr-abcd1234-a---b', undefined],
  ['adr-abcd1234-!!!', undefined],
  ['xxx-abcd1234-a', undefined],
  ['constructor-abcd1234-a', undefined],
  ['adr-abcd123-a', undefined],
  ['adr-abcd123g-a', undefined],
  ['abcd1234', undefined],
  [`adr-abcd1234-${'a'.repeat(1000)}`, undefined],
];
for (const [given, name] of names) {
  test(`${given.slice(0, 40)} is ${name ? `called ${name}` : 'no such name'}`, () => {
    assert.equal(parseHumanId(given)?.name, name);
  });
}
