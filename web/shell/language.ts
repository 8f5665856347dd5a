import { loaders } from 'virtual:locales';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { allLanguages, chooseLanguage, type Language, type LanguageId } from '../locales/languages.ts';
import { LANGUAGE_KEY } from './stored-keys.ts';

export const languages: readonly Language[] = allLanguages.filter(({ id }) => Object.hasOwn(loaders, id));

export async function startLanguage(): Promise<void> {
  const language = chooseLanguage(languages, localStorage.getItem(LANGUAGE_KEY), navigator.languages);
  const { texts } = await loaders[language.id]!();
  showLanguage(language);
  await i18next.use(initReactI18next).init({
    lng: language.id,
    resources: { [language.id]: texts },
    fallbackLng: false,
    defaultNS: 'shell',
    // React escapes texts itself.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}

export async function changeLanguage(id: LanguageId): Promise<void> {
  const { texts } = await loaders[id]!();
  for (const [namespace, bundle] of Object.entries(texts)) i18next.addResourceBundle(id, namespace, bundle);
  showLanguage(allLanguages.find((language) => language.id === id)!);
  localStorage.setItem(LANGUAGE_KEY, id);
  await i18next.changeLanguage(id);
}

function showLanguage({ id, direction }: Language): void {
  document.documentElement.lang = id;
  document.documentElement.dir = direction;
}
