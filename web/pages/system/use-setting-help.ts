import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperatorSetting } from '../../api/system.ts';

type Texts = Readonly<Record<string, string>>;

/** Loaded with the list of settings: most visitors of the interface never read them. */
const loaders: Readonly<Record<string, () => Promise<{ readonly default: Texts }>>> = {
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
  const { language } = useTranslation().i18n;
  const load = loaders[language];
  const { data, isLoading } = useQuery({
    queryKey: ['setting help', language],
    queryFn: async () => (await load!()).default,
    enabled: load !== undefined,
    staleTime: Infinity,
  });
  const helpOf = ({ name, help }: OperatorSetting): Help =>
    data?.[name] === undefined ? { text: help, lang: 'en' } : { text: data[name], lang: language };
  return { helpOf, isLoading };
}
