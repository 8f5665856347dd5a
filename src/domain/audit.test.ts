import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { changed } from './audit.ts';

test('only differences are stored, at any depth', () => {
  const before = { name: 'a', settings: { on: true, ttl: 10 }, same: [1, 2] };
  const after = { name: 'a', settings: { on: false, ttl: 10 }, same: [1, 2] };
  assert.deepEqual(changed(before, after), { before: { settings: { on: true } }, after: { settings: { on: false } } });
});

test('without differences nothing is stored', () => {
  assert.deepEqual(changed({ a: [{ b: 1 }] }, { a: [{ b: 1 }] }), { before: undefined, after: undefined });
});

test('added and removed members are on one side of the difference only', () => {
  assert.deepEqual(changed(undefined, { name: 'a' }), { before: undefined, after: { name: 'a' } });
  assert.deepEqual(changed({ name: 'a', ip: '192.0.2.1' }, { name: 'a', ip: undefined }), {
    before: { ip: '192.0.2.1' },
    after: {},
  });
});

test('of arrays only what one side has is kept, and of very long ones a hundred items', () => {
  assert.deepEqual(changed({ rules: ['a', 'b', 'b'] }, { rules: ['b', 'c'] }), {
    before: { rules: ['a', 'b'] },
    after: { rules: ['c'] },
  });
  assert.deepEqual(changed(['a', 'b'], ['b', 'a']), { before: 'in another order', after: 'in another order' });
  const { after } = changed(
    [],
    Array.from({ length: 5000 }, (_, index) => index),
  );
  assert.ok(Array.isArray(after) && after.length === 101 && after[100] === 'and 4900 more');
});

test('secrets show that they came, changed or went, never what they are', () => {
  const before = { dohPassword: 'jaNh9iXS', totpSecret: undefined, linkToken: 'x', passwordHash: 'h' };
  const after = { dohPassword: 'other123', totpSecret: 'ABC', linkToken: 'x', passwordHash: undefined };
  assert.deepEqual(changed(before, after), {
    before: { dohPassword: '(secret)', passwordHash: '(secret)' },
    after: { dohPassword: '(secret)', totpSecret: '(secret)' },
  });
  assert.deepEqual(changed(undefined, [{ device: { dohPassword: 'jaNh9iXS' } }]).after, [
    { device: { dohPassword: '(secret)' } },
  ]);
});

test('no secret is found in any change, and no JSON makes it throw', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(
      json,
      json,
      fc.constantFrom('dohPassword', 'refreshHash', 'token', 'hash', 'clientSecret'),
      (one, other, key) => {
        const hide = (value: unknown) => ({ one: value, deep: [{ [key]: 'S3CR3T', more: { [key]: ['S3CR3T'] } }] });
        const changes = [changed(hide(one), hide(other)), changed(one, hide(other)), changed({ [key]: 'S3CR3T' }, one)];
        assert.ok(!JSON.stringify(changes).includes('S3CR3T'));
      },
    ),
  );
});
