import { type SettingEntry, unknownSetting } from './setting-entry.ts';
import { settingEntries, variableOf } from './settings-table.ts';

/** Reads WEIR_HTTP and its like. A variable that is empty counts as not set, as it is in scripts that pass it on. */
export function settingsFromEnvironment(env: NodeJS.ProcessEnv): readonly SettingEntry[] {
  return Object.entries(env)
    .filter(([variable, text]) => variable.startsWith('WEIR_') && text?.trim())
    .flatMap(([variable, text = '']) => entryOf(variable, text) ?? []);
}

function entryOf(variable: string, text: string): SettingEntry | undefined {
  const found = settingEntries.find(([, { name }]) => variableOf(name) === variable);
  if (found) {
    const [key, { kind }] = found;
    const texts = kind.many ? text.split(/[,\s]+/).filter(Boolean) : [text];
    return { kind: 'given', key, written: texts.map((each) => ({ text: each, place: variable })) };
  }
  if (isServiceLink(variable, text)) return undefined;
  return unknownSetting(variable, nameOf(variable), variableOf);
}

const nameOf = (variable: string): string => variable.slice('WEIR_'.length).toLowerCase().replaceAll('_', '-');

/** Kubernetes tells every container where the services beside it are: of one named weir, in variables like these. */
const isServiceLink = (variable: string, text: string): boolean =>
  /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP|SCTP)/.test(variable) || /^(tcp|udp|sctp):\/\//.test(text);
