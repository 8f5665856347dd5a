import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { settingEntries } from '../src/settings/settings-table.ts';
import { allLanguages } from '../web/locales/languages.ts';

const textsOf = (language: string): Readonly<Record<string, string>> =>
  JSON.parse(
    readFileSync(new URL(`../web/pages/system/setting-help/${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;

test('the texts that were translated are those of the settings: a changed one must be translated again', () => {
  assert.deepEqual(textsOf('en'), Object.fromEntries(settingEntries.map(([, { name, help }]) => [name, help])));
});

for (const { id } of allLanguages.filter(({ id }) => id !== 'en'))
  test(`${id} has the help of every setting`, () => {
    const [english, texts] = [textsOf('en'), textsOf(id)];
    assert.deepEqual(Object.keys(texts).toSorted(), Object.keys(english).toSorted());
    const untranslated = Object.keys(texts).filter(
      (name) => texts[name]!.trim() === '' || texts[name] === english[name],
    );
    assert.deepEqual(untranslated, []);
  });
