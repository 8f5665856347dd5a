import { didYouMean } from '../kit/did-you-mean.ts';
import {
  keyOfSetting,
  nameOfVariable,
  type SettingKey,
  settingNames,
  settingsTable,
  variableOf,
} from './settings-table.ts';

/** An unparsed value and its location, as shown in error messages. */
export type RawValue = { readonly text: string; readonly location: string };

/** Formats the name of a setting for the source: `--name`, `WEIR_NAME`, `name`. */
type Spelling = (name: string) => string;

/** A setting found in a source, in source order. */
export type SettingEntry =
  | {
      readonly kind: 'given';
      readonly key: SettingKey;
      readonly name: string;
      readonly location: string;
      readonly spell: Spelling;
      readonly values: readonly RawValue[];
    }
  | { readonly kind: 'invalid'; readonly problem: string };

export const invalid = (location: string, problem: string): SettingEntry => ({
  kind: 'invalid',
  problem: `${location}: ${problem}`,
});

export function unknownSetting(location: string, name: string, spell: Spelling): SettingEntry {
  const suggestion = didYouMean(name, settingNames);
  return invalid(location, `unknown setting${suggestion === undefined ? '' : `; did you mean ${spell(suggestion)}?`}`);
}

const flagOf: Spelling = (name) => `--${name}`;

/** Reads `--name VALUE` and `--name=VALUE`. Repeated flags extend a list; otherwise the last one is used. */
export function settingsFromFlags(words: readonly string[]): readonly SettingEntry[] {
  const entryByFlag = new Map<string, Extract<SettingEntry, { kind: 'given' }>>();
  const problems: SettingEntry[] = [];
  for (const { flag, value } of flagsIn(words)) {
    const name = flag.slice(2);
    const key = flag.startsWith('--') ? keyOfSetting(name) : undefined;
    if (key === undefined) {
      problems.push(unknownWord(flag));
      continue;
    }
    const { kind } = settingsTable[key];
    if (value === undefined) {
      problems.push(invalid(flag, `expected a value: ${kind.value}`));
      continue;
    }
    const values = kind.many
      ? [...(entryByFlag.get(flag)?.values ?? []), ...membersOf(flag, value)]
      : [{ text: value, location: flag }];
    entryByFlag.set(flag, { kind: 'given', key, name, location: flag, spell: flagOf, values });
  }
  return [...entryByFlag.values(), ...problems];
}

const unknownWord = (word: string): SettingEntry =>
  word.startsWith('-')
    ? unknownSetting(word, word.replace(/^-+/, ''), flagOf)
    : invalid(JSON.stringify(word), 'settings are written as --name VALUE');

const membersOf = (location: string, value: string): RawValue[] =>
  value
    .split(',')
    .map((text) => ({ text: text.trim(), location }))
    .filter(({ text }) => text !== '');

function* flagsIn(words: readonly string[]): Generator<{ flag: string; value: string | undefined }> {
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const [, flag = word, value] = /^(-[^=]*)=(.*)$/s.exec(word) ?? [];
    const next = words[at + 1];
    // Values never start with two dashes, so the value of this flag is missing.
    const takesNext = word.startsWith('-') && value === undefined && next !== undefined && !next.startsWith('--');
    yield { flag, value: takesNext ? next : value };
    if (takesNext) at++;
  }
}

/** Reads `WEIR_*` variables. Empty variables are treated as not set, because scripts often pass them. */
export function settingsFromEnvironment(env: NodeJS.ProcessEnv): readonly SettingEntry[] {
  return Object.entries(env)
    .filter(([variable, text]) => variable.startsWith('WEIR_') && text?.trim())
    .flatMap(([variable, text = '']) => entryOfVariable(variable, text) ?? []);
}

function entryOfVariable(variable: string, text: string): SettingEntry | undefined {
  const name = nameOfVariable(variable);
  const key = variableOf(name) === variable ? keyOfSetting(name) : undefined;
  if (key !== undefined) {
    const texts = settingsTable[key].kind.many ? text.split(/[,\s]+/).filter(Boolean) : [text];
    const values = texts.map((each) => ({ text: each, location: variable }));
    return { kind: 'given', key, name, location: variable, spell: variableOf, values };
  }
  return isServiceLink(variable, text) ? undefined : unknownSetting(variable, name, variableOf);
}

/** Kubernetes sets such variables in every container if there is a service called weir. */
const isServiceLink = (variable: string, text: string): boolean =>
  /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP|SCTP)/.test(variable) || /^(tcp|udp|sctp):\/\//.test(text);
