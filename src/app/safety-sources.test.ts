import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogue } from '../domain/catalogue/catalogue.ts';
import { readSettings } from '../settings/settings.ts';
import { safetySources } from './safety-sources.ts';

const opened = openCatalogue({});
assert.ok(opened.ok);
const catalogue = opened.value;
const nothing = { dangerousList: ['none'], adultList: [], newDomainsList: [] };

test('the default lists of every category exist', async () => {
  const settings = await readSettings({ words: [], env: {}, cwd: '/' });
  assert.ok(settings.ok);
  for (const [kind, sources] of Object.entries(safetySources(settings.value.settings, catalogue)))
    assert.ok(sources.length > 0, kind);
});

test('lists are URLs, files, lists of the catalogue, or none', () => {
  const adultList = ['https://lists.example/adult', '/srv/adult.txt', 'catalogue:hagezi_nsfw'];
  const sources = safetySources({ ...nothing, adultList }, catalogue);
  assert.deepEqual(sources.adult, [
    'https://lists.example/adult',
    '/srv/adult.txt',
    catalogue.lists.get('hagezi_nsfw')!.source,
  ]);
  assert.deepEqual([sources['dangerous domains'], sources['newly registered']], [[], []]);
});

test('a list that the catalogue lacks is an error with the name of the setting', () => {
  assert.throws(() => safetySources({ ...nothing, adultList: ['catalogue:gone'] }, catalogue), {
    message: 'adult-list: the catalogue has no list "gone"',
  });
});
