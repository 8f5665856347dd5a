import { type SettingEntry, unknownSetting, type Written, wrong } from './setting-entry.ts';
import { keyOfSetting, type SettingKey, settingsTable } from './settings-table.ts';

/** Reads `--name VALUE` and `--name=VALUE`. A list grows with each of its flags, of all others the last one counts. */
export function settingsFromFlags(words: readonly string[]): readonly SettingEntry[] {
  const given = new Map<SettingKey, readonly Written[]>();
  const faults: SettingEntry[] = [];
  for (const { flag, value } of flagsIn(words)) {
    const key = flag.startsWith('--') ? keyOfSetting(flag.slice(2)) : undefined;
    if (key === undefined) {
      faults.push(unknownWord(flag));
      continue;
    }
    const { kind } = settingsTable[key];
    if (value === undefined) faults.push(wrong(flag, `it needs a value: ${kind.value}`));
    else if (kind.many) given.set(key, [...(given.get(key) ?? []), ...membersOf(flag, value)]);
    else given.set(key, [{ text: value, place: flag }]);
  }
  return [...[...given].map(([key, written]) => ({ kind: 'given', key, written }) as const), ...faults];
}

const unknownWord = (word: string): SettingEntry =>
  word.startsWith('-')
    ? unknownSetting(word, word.replace(/^-+/, ''), (meant) => `--${meant}`)
    : wrong(JSON.stringify(word), 'settings are written as --name VALUE');

const membersOf = (place: string, value: string): Written[] =>
  value
    .split(',')
    .map((text) => ({ text: text.trim(), place }))
    .filter(({ text }) => text !== '');

function* flagsIn(words: readonly string[]): Generator<{ flag: string; value: string | undefined }> {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [, flag = word, value] = /^(-[^=]*)=(.*)$/s.exec(word) ?? [];
    const next = words[at + 1];
    // No value begins with two dashes: what does is the next flag, and this one has lost its value.
    const takesNext = word.startsWith('-') && value === undefined && next !== undefined && !next.startsWith('--');
    yield { flag, value: takesNext ? next : value };
    if (takesNext) at++;
  }
}
