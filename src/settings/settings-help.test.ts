import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sections } from './setting-kinds.ts';
import { settingsHelp } from './settings.ts';
import { settingEntries, settingNames } from './settings-table.ts';

test('every setting is helped with once, as a flag', () => {
  const flags = [...settingsHelp().matchAll(/^ {2}--(\S+) /gm)].map(([, name = '']) => name);
  assert.deepEqual(flags.toSorted(), settingNames.toSorted());
});

test('sections come in their order, and none is empty', () => {
  const titles = [...settingsHelp().matchAll(/^([\w ]+):\n {2}--/gm)].map(([, title]) => title);
  assert.deepEqual(titles, sections);
});

test('the help shows every default', () => {
  const help = settingsHelp().replace(/\s+/g, ' ');
  for (const [, { help: words, default: preset }] of settingEntries)
    assert.ok(help.includes(preset ? `${words} (${preset.replaceAll(',', ', ')})` : words), words);
});

test('the help fits a terminal of 80 columns', () => {
  for (const line of settingsHelp().split('\n')) assert.ok(line.length <= 80, line);
});
