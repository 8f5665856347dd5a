import { type TextLoaders, useLazyTexts } from '../../../components/use-lazy-texts.ts';
import { translateDescription } from './translate-description.ts';

const loaders: TextLoaders = {
  ar: () => import('./descriptions/ar.json'),
  de: () => import('./descriptions/de.json'),
  es: () => import('./descriptions/es.json'),
  fr: () => import('./descriptions/fr.json'),
  it: () => import('./descriptions/it.json'),
  nl: () => import('./descriptions/nl.json'),
  pl: () => import('./descriptions/pl.json'),
  'pt-BR': () => import('./descriptions/pt-BR.json'),
};
const english: TextLoaders = Object.fromEntries(
  Object.keys(loaders).map((language) => [language, () => import('./descriptions/en.json')]),
);

/** Descriptions of built-in lists in the language of the page. */
export function useListDescriptions() {
  const { language, texts, isLoading } = useLazyTexts('list descriptions', loaders);
  const original = useLazyTexts('list descriptions in English', english);
  return {
    isLoading: isLoading || original.isLoading,
    inLanguage: translateDescription({ language, texts, original: original.texts }),
  };
}
