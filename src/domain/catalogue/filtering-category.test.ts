import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogue } from './catalogue.ts';
import { categoryOfList, filteringCategories, listsOfCategory } from './filtering-category.ts';

const catalogue = openCatalogue();
assert.ok(catalogue.ok);
const { categories, lists } = catalogue.value;

test('every offered category has domains or lists of the catalogue', () => {
  assert.ok(categories.size > 8);
  for (const { id, domains, lists: ofCategory } of categories.values()) {
    assert.ok(domains.length + ofCategory.length > 0, id);
    assert.deepEqual(listsOfCategory(id), ofCategory, id);
    for (const list of ofCategory) {
      assert.ok(lists.has(list), list);
      assert.equal(categoryOfList(list), id);
    }
  }
});

test('a web service that the operator adds to a group belongs to the category', () => {
  const own = { id: 'own_bets', name: 'Own', domains: ['bets.example'], group: 'gambling' };
  const opened = openCatalogue({ services: [own] });
  assert.ok(opened.ok && opened.value.categories.get('gambling')!.domains.includes('bets.example'));
});

test('a category without data is not offered', () => {
  assert.deepEqual(
    filteringCategories([{ group: 'dating', domains: ['dating.example'] }], new Set(['blocklistproject_drugs'])),
    [
      { id: 'dating', domains: ['dating.example'], lists: [] },
      { id: 'drugs', domains: [], lists: ['blocklistproject_drugs'] },
    ],
  );
  assert.deepEqual([listsOfCategory('constructor'), categoryOfList('adguard_dns_filter')], [[], undefined]);
});
