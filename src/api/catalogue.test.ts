import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApi } from '../../test/support/api.ts';
import { CATALOGUE_DATE, listFigures } from '../domain/catalogue/list-figures.ts';
import { catalogueOperations } from './catalogue.ts';
import type { Deps } from './deps.ts';

const list = {
  id: 'list',
  name: 'List',
  description: 'A list.',
  homepage: 'https://list.example/',
  source: 'https://list.example/list.txt',
  licence: 'MIT',
  category: 'SECURITY',
  tags: ['purpose:security'],
} as const;

async function openCatalogue(t: { after(end: () => unknown): void }) {
  const catalogue: Deps['catalogue'] = {
    lists: new Map([
      ['list', list],
      ['adguard_dns_filter', { ...list, id: 'adguard_dns_filter' }],
    ]),
    services: new Map([
      ['tube', { id: 'tube', name: 'Tube', group: 'streaming', domains: ['tube.example'], iconSvg: '<svg/>' }],
    ]),
    categories: new Map([['gambling', { id: 'gambling', domains: ['bet.example'], lists: ['list'] }]]),
  };
  const fetched = new Map<string, { rules: number; updatedAt: number }>();
  const api = await openApi(t, catalogueOperations, { catalogue, fetchedList: (id) => fetched.get(id) });
  const home = await api.account('home');
  const reply = async (operation: string) => (await api.done(operation, home)).reply;
  return { ...api, reply, fetched };
}

test('a list that was never downloaded has the figures of the catalogue, or none', async (t) => {
  const { reply } = await openCatalogue(t);
  const [unknown, known] = await reply('listFilterLists');
  assert.deepEqual(unknown, {
    categories: [{ category: 'SECURITY', description: 'Lists against malware, phishing and fraud', value: 'security' }],
    description: 'A list.',
    download_url: 'https://list.example/list.txt',
    filter_id: 'list',
    homepage_url: 'https://list.example/',
    name: 'List',
    rules_count: 0,
    source_url: 'https://list.example/list.txt',
    tags: ['purpose:security'],
    time_updated: new Date(CATALOGUE_DATE).toISOString(),
  });
  const { rules, updatedAt } = listFigures('adguard_dns_filter')!;
  assert.deepEqual([known.rules_count, known.time_updated], [rules, new Date(updatedAt).toISOString()]);
});

test('a downloaded list has the figures of the download, also if it is empty', async (t) => {
  const { reply, fetched } = await openCatalogue(t);
  fetched.set('adguard_dns_filter', { rules: 0, updatedAt: 0 });
  const [, known] = await reply('listFilterLists');
  assert.deepEqual([known.rules_count, known.time_updated], [0, '1970-01-01T00:00:00.000Z']);
});

test('services, kinds of content and companies have the members of the published API', async (t) => {
  const { reply, deps } = await openCatalogue(t);
  assert.deepEqual(await reply('listWebServices'), [{ icon_svg: '<svg/>', id: 'tube', name: 'Tube' }]);
  assert.deepEqual(await reply('listParentalControlFilteringCategories'), [{ id: 'gambling' }]);
  assert.deepEqual(await reply('listCompanies'), deps.companies.list);
});
