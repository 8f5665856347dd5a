import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translateDescription } from './translate-description.ts';

const texts = { ads: 'Werbung.', malware: 'Schadsoftware.' };
const original = { ads: 'Ads.', malware: 'Malware.' };

test('descriptions are translated, except those that the operator has written', () => {
  const inGerman = translateDescription({ language: 'de', texts, original });
  const ads = { id: 'ads', description: 'Ads.', name: 'Ads' };
  assert.deepEqual(inGerman(ads), { ...ads, description: 'Werbung.', descriptionLanguage: 'de' });
  const replaced = { id: 'malware', description: 'Our mirror.' };
  assert.equal(inGerman(replaced), replaced);
  const added = { id: 'ours', description: 'Ads.' };
  assert.equal(inGerman(added), added);
});

test('without translations descriptions stay as they are', () => {
  const ads = { id: 'ads', description: 'Ads.' };
  assert.equal(translateDescription({ language: 'en', texts: undefined, original: undefined })(ads), ads);
  assert.equal(translateDescription({ language: 'de', texts, original: undefined })(ads), ads);
});
