import { nearest } from '../kit/did-you-mean.ts';
import { type SettingKey, settingNames } from './settings-table.ts';

/** A value as somebody wrote it, and where, in the words of an error. */
export type Written = { readonly text: string; readonly place: string };

/** What flags, environment and file hand over, in the order in which it stands there. */
export type SettingEntry =
  | { readonly kind: 'given'; readonly key: SettingKey; readonly written: readonly Written[] }
  | { readonly kind: 'wrong'; readonly problem: string };

export const wrong = (place: string, what: string): SettingEntry => ({ kind: 'wrong', problem: `${place}: ${what}` });

/** `spell` writes the name of a setting as it is written there. */
export function unknownSetting(place: string, name: string, spell: (name: string) => string): SettingEntry {
  const meant = nearest(name, settingNames);
  return wrong(place, `there is no such setting${meant === undefined ? '' : `; did you mean ${spell(meant)}?`}`);
}
