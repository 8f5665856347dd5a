import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

type Texts = Readonly<Record<string, string>>;
/** By language. */
export type TextLoaders = Readonly<Record<string, () => Promise<{ readonly default: Texts }>>>;

/** Long texts in the language of the page, loaded where they are shown; undefined in a language without a loader. */
export function useLazyTexts(name: string, loaders: TextLoaders) {
  const { language } = useTranslation().i18n;
  const load = loaders[language];
  const { data: texts, isLoading } = useQuery({
    queryKey: ['texts', name, language],
    queryFn: async () => (await load!()).default,
    enabled: load !== undefined,
    staleTime: Infinity,
  });
  return { texts, language, isLoading };
}
