import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filterLists } from '../src/domain/catalogue/filter-lists.ts';
import { settingEntries } from '../src/settings/settings-table.ts';
import { allLanguages } from '../web/locales/languages.ts';

type Texts = Readonly<Record<string, string>>;

/** Texts of the service that the interface shows in the language of the user. */
const collections: Readonly<Record<string, { readonly folder: string; readonly english: Texts }>> = {
  'the help of every setting': {
    folder: 'system/setting-help',
    english: Object.fromEntries(settingEntries.map(([, { name, help }]) => [name, help])),
  },
  'the description of every filter list': {
    folder: 'servers/lists/descriptions',
    english: Object.fromEntries(filterLists().map(({ id, description }) => [id, description])),
  },
};

for (const [what, { folder, english }] of Object.entries(collections)) {
  const textsIn = (language: string): Texts =>
    JSON.parse(readFileSync(new URL(`../web/pages/${folder}/${language}.json`, import.meta.url), 'utf8')) as Texts;

  test(`${what} that was translated is the present one: a changed one must be translated again`, () => {
    assert.deepEqual(textsIn('en'), english);
  });

  for (const { id } of allLanguages.filter(({ id }) => id !== 'en'))
    test(`${id} has ${what}`, () => {
      const texts = textsIn(id);
      assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(english).toSorted());
      const untranslated = Object.keys(texts).filter(
        (name) => texts[name]!.trim() === '' || texts[name] === english[name],
      );
      assert.deepEqual(untranslated, []);
    });
}
