import type { OperatorSetting } from '../../api/system.ts';
import { type TextLoaders, useLazyTexts } from '../../components/use-lazy-texts.ts';

const loaders: TextLoaders = {
  ar: () => import('./setting-help/ar.json'),
  de: () => import('./setting-help/de.json'),
  es: () => import('./setting-help/es.json'),
  fr: () => import('./setting-help/fr.json'),
  it: () => import('./setting-help/it.json'),
  nl: () => import('./setting-help/nl.json'),
  pl: () => import('./setting-help/pl.json'),
  'pt-BR': () => import('./setting-help/pt-BR.json'),
};

export type Help = { readonly text: string; readonly lang: string };

/** The help of a setting in the language of the page, or in English. */
export function useSettingHelp() {
  const { texts, language, isLoading } = useLazyTexts('setting help', loaders);
  const helpOf = ({ name, help }: OperatorSetting): Help =>
    texts?.[name] === undefined ? { text: help, lang: 'en' } : { text: texts[name], lang: language };
  return { helpOf, isLoading };
}
