import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CatalogueAdditions, openCatalogue } from './catalogue.ts';

function opened(additions?: CatalogueAdditions) {
  const catalogue = openCatalogue(additions);
  assert.ok(catalogue.ok, JSON.stringify(catalogue));
  return catalogue.value;
}

function faultsOf(additions: CatalogueAdditions): Record<string, string> {
  const catalogue = openCatalogue(additions);
  assert.ok(!catalogue.ok);
  return Object.fromEntries(catalogue.error.map(({ path, message }) => [path, message]));
}

const house = { id: 'house', name: 'House list', source: 'https://example.org/house.txt' };
const forum = { id: 'forum', name: 'The Forum', domains: ['forum.example'] };

test('without additions there are our lists and services', () => {
  const { lists, services } = opened();
  assert.equal(lists.get('adguard_dns_filter')?.name, 'AdGuard DNS filter');
  assert.equal(services.get('9gag')?.name, '9GAG');
});

test('a list of the operator follows the built-in ones, with defaults for missing members', () => {
  const { lists } = opened({ lists: [house] });
  assert.deepEqual([...lists.values()].at(-1), {
    ...house,
    description: 'House list',
    homepage: house.source,
    licence: 'unknown',
    category: 'OTHER',
    tags: ['purpose:other'],
  });
});

test("the operator's description of a list is used", () => {
  const said = { description: 'Ours.', homepage: 'https://example.org/', licence: 'MIT', category: 'REGIONAL' };
  const { lists } = opened({ lists: [{ ...house, ...said, languages: ['de', 'fr'], problematic: true }] });
  const tags = ['purpose:regional', 'lang:de', 'lang:fr', 'problematic'];
  assert.deepEqual(lists.get('house'), { ...house, ...said, tags });
});

test('an added service has a monogram or its own icon', () => {
  const { services } = opened({ services: [forum, { ...forum, id: 'forum2', icon: 'M0 0h24v24z', group: 'gaming' }] });
  assert.match(services.get('forum')!.iconSvg, /^<svg .*stroke/);
  assert.equal(services.get('forum')!.group, 'software');
  assert.match(services.get('forum2')!.iconSvg, /d="M0 0h24v24z"/);
  assert.equal(services.get('forum2')!.group, 'gaming');
});

test('an added entry takes the place of ours with the same id', () => {
  const mirror = { id: 'adguard_dns_filter', name: 'Our copy', source: 'http://mirror.lan/filter.txt' };
  const { lists } = opened({ lists: [mirror] });
  assert.equal(lists.size, opened().lists.size);
  assert.equal([...lists.values()][0]!.source, mirror.source);
});

test('every error is reported with its position', () => {
  const faults = faultsOf({
    lists: [
      {
        id: 'a/b',
        name: ' ',
        source: 'ftp://example.org/',
        category: 'BEST',
        languages: ['german'],
        problematic: 'yes',
      },
      7,
    ],
    services: [
      { id: 'x', name: 'X', domains: [], icon: '"><script>' },
      { ...forum, domains: ['Forum.example'] },
    ],
  });
  assert.deepEqual(Object.keys(faults), [
    'lists[0].id',
    'lists[0].name',
    'lists[0].source',
    'lists[0].category',
    'lists[0].languages[0]',
    'lists[0].problematic',
    'lists[1]',
    'services[0].domains',
    'services[0].icon',
    'services[1].domains[0]',
  ]);
  assert.equal(faults['lists[0].name'], 'must not be empty');
  assert.equal(faults['lists[0].source'], 'expected an http or https address, got "ftp://example.org/"');
  assert.equal(faults['lists[0].category'], 'expected one of GENERAL, SECURITY, REGIONAL, OTHER, got "BEST"');
  assert.equal(faults['lists[1]'], 'expected an object, got the number 7');
  assert.match(faults['services[1].domains[0]']!, /expected a domain name in lower case .* got "Forum\.example"/);
});

test('missing and unknown members are reported', () => {
  assert.deepEqual(faultsOf({ lists: [{ id: 'a', sorce: 'https://example.org/' }] }), {
    'lists[0].name': 'is missing and must be given',
    'lists[0].source': 'is missing and must be given',
    'lists[0].sorce': 'is not known; did you mean "source"?',
  });
});

test('an id can be added once', () => {
  assert.deepEqual(faultsOf({ lists: [house, house] }), { 'lists[1].id': '"house" is already the id of lists[0]' });
});

test('additions that are not lists are refused', () => {
  assert.deepEqual(faultsOf({ lists: { house }, services: null }), {
    lists: 'expected a list, got an object',
    services: 'expected a list, got null',
  });
});

test('ids keep to the lengths that clients send', () => {
  opened({ lists: [{ ...house, id: 'a'.repeat(128) }], services: [{ ...forum, id: 'a'.repeat(64) }] });
  const faults = faultsOf({ lists: [{ ...house, id: 'a'.repeat(129) }], services: [{ ...forum, id: 'a'.repeat(65) }] });
  assert.deepEqual(Object.keys(faults), ['lists[0].id', 'services[0].id']);
});
