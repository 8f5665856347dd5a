import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CustomListInput, chooseLists, createCustomList, updateCustomList } from './custom-list.ts';
import type { AccountId } from './ids.ts';

const context = { id: 'list', account: 'account' as AccountId, createdAt: 5 };
const make = (input: CustomListInput, used = 0) => createCustomList({ used, limit: 2 }, input, context);

/** The invalid fields. */
function wrong(input: CustomListInput, used = 0): readonly string[] {
  const made = make(input, used);
  return !made.ok && made.error.kind === 'invalid' ? made.error.errors.map(({ field }) => field) : [];
}

test('a list is an address, rules, or a configuration for the compiler', () => {
  for (const input of [
    { url: 'https://lists.example/a.txt' },
    { rules: '||a.example^\n' },
    { configuration: { name: 'x', sources: [] } },
  ]) {
    const made = make({ name: ' Mine ', ...input });
    assert.ok(made.ok);
    const [[kind, content]] = Object.entries(input) as [[string, unknown]];
    assert.deepEqual(made.value, { ...context, name: 'Mine', source: { kind, [kind]: content } });
  }
});

test('it needs a name and one of the three, and no more than one', () => {
  assert.deepEqual(wrong({}), ['name', 'url']);
  assert.deepEqual(wrong({ name: '', url: 'https://a.example' }), ['name']);
  assert.deepEqual(wrong({ name: 'x', url: 'https://a.example', rules: '||a^' }), ['rules']);
});

test('an address must be one of HTTP, and rules must be some, but not too many', () => {
  for (const url of ['file:///etc/passwd', '/etc/passwd', 'ftp://a', 'https://', 'https://a b'])
    assert.deepEqual(wrong({ name: 'x', url }), ['url'], url);
  for (const rules of ['', ' \n', 'a\0b', 'x'.repeat(256 * 1024 + 1)])
    assert.deepEqual(wrong({ name: 'x', rules }), ['rules']);
});

test('an account at its limit gets an error with the limit', () => {
  const made = make({ name: 'x', rules: '||a^' }, 2);
  assert.deepEqual(made, { ok: false, error: { kind: 'limit reached', what: 'customLists', limit: 2 } });
});

test('absent members stay unchanged', () => {
  const made = make({ name: 'x', rules: '||a^' });
  assert.ok(made.ok);
  const renamed = updateCustomList(made.value, { name: 'y' });
  assert.ok(renamed.ok);
  assert.deepEqual(renamed.value, { ...made.value, name: 'y' });
  const moved = updateCustomList(made.value, { url: 'https://a.example' });
  assert.ok(moved.ok && moved.value.source.kind === 'url' && moved.value.name === 'x');
});

test('a DNS server can use lists of its account, each once', () => {
  const known = new Set(['a', 'b']);
  assert.deepEqual(chooseLists([{ id: 'a' }, { id: 'b', enabled: false }, { id: 'a', enabled: false }], known), {
    ok: true,
    value: [
      { id: 'a', enabled: false },
      { id: 'b', enabled: false },
    ],
  });
  const chosen = chooseLists([{ id: 'a' }, { id: 'other' }], known);
  assert.ok(!chosen.ok && chosen.error.kind === 'invalid' && chosen.error.errors[0]!.field === 'custom_lists[1].id');
});
