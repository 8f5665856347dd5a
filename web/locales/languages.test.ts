import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allLanguages, chooseLanguage } from './languages.ts';

for (const [what, stored, tags, expected] of [
  ['the stored language', 'de', ['fr-FR'], 'de'],
  ['the first language of the browser that is offered', null, ['sv-SE', 'nl-BE', 'fr'], 'nl'],
  ['another regional variant', null, ['pt-PT', 'en'], 'pt-BR'],
  ['the exact regional variant', null, ['pt-BR'], 'pt-BR'],
  ['English for a stored language that does not exist', 'xx', [], 'en'],
] as const)
  test(`chosen: ${what}`, () => assert.equal(chooseLanguage(allLanguages, stored, tags).id, expected));

test('a language that is not offered is not chosen', () => {
  const offered = allLanguages.filter(({ id }) => id === 'en' || id === 'de');
  assert.equal(chooseLanguage(offered, 'fr', ['fr-FR', 'de-AT']).id, 'de');
});
