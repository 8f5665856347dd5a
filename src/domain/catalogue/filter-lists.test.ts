import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterListEntry } from './catalogue-entries.ts';
import { checkEntries } from './check-entries.ts';
import { categoryDescriptions, type FilterList, filterListCategories } from './filter-list.ts';
import { filterLists } from './filter-lists.ts';
import { listFigures } from './list-figures.ts';

const lists = filterLists();
const languages = new Set(
  'ar bg cs da de el en es et fa fi fr he hi hr hu id is it ja ko lt lv mk ms nl no pl pt ro ru sk sl sr sv th tr uk vi zh'.split(
    ' ',
  ),
);

const asEntry = (list: FilterList) => Object.fromEntries(Object.entries(list).filter(([member]) => member !== 'tags'));
const duplicates = (texts: readonly string[]): string[] => texts.filter((text, at) => texts.indexOf(text) !== at);

test('our lists pass the check that lists of an operator pass', () => {
  assert.deepEqual(checkEntries(lists.map(asEntry), 'lists', filterListEntry), []);
});

test('there are many lists, and some of every category', () => {
  assert.ok(lists.length >= 80, String(lists.length));
  for (const category of filterListCategories) {
    assert.ok(
      lists.some((list) => list.category === category),
      category,
    );
    assert.notEqual(categoryDescriptions[category], '');
  }
});

test('the ids that clients already know are there', () => {
  const ids = new Set(lists.map(({ id }) => id));
  for (const id of ['adguard_dns_filter', '1hosts_lite', 'hagezi_pro++', 'ISR_easyList_hebrew', 'oisd_full'])
    assert.ok(ids.has(id), id);
});

test('lists have different ids, names and sources, ignoring case', () => {
  for (const member of ['id', 'name', 'source'] as const)
    assert.deepEqual(duplicates(lists.map((list) => list[member].toLowerCase())), []);
});

test('a number of rules and a date are known of every list before its first download', () => {
  for (const { id } of lists) {
    const { rules, updatedAt } = listFigures(id) ?? assert.fail(id);
    assert.ok(rules > 0 && updatedAt > Date.UTC(2010), id);
  }
});

test('everything is fetched over https', () => {
  for (const { id, source, homepage } of lists)
    for (const address of [source, homepage]) assert.equal(new URL(address).protocol, 'https:', `${id}: ${address}`);
});

test('texts are trimmed and descriptions are one sentence or two', () => {
  for (const { id, name, description, licence } of lists) {
    for (const text of [name, description, licence]) assert.equal(text, text.trim(), id);
    assert.match(description, /^[A-Z].*\.$/, id);
    assert.ok(description.length <= 200, id);
  }
});

test('tags are the purpose, known languages and a warning', () => {
  for (const { id, category, tags } of lists) {
    assert.equal(tags[0], `purpose:${category.toLowerCase()}`, id);
    for (const tag of tags.slice(1))
      assert.ok(tag === 'problematic' || languages.has(tag.replace(/^lang:/, '')), `${id}: ${tag}`);
  }
});

test('a list has a language exactly when it is regional', () => {
  for (const { id, category, tags } of lists)
    assert.equal(
      tags.some((tag) => tag.startsWith('lang:')),
      category === 'REGIONAL',
      id,
    );
});
