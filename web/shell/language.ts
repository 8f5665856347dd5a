import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

const loaders = {
  en: () => import('../locales/en.ts'),
  de: () => import('../locales/de.ts'),
} as const;

export type Language = keyof typeof loaders;
export const languages: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
];

const STORAGE_KEY = 'weir-language';
const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(loaders, text);

function preferredLanguage(): Language {
  const stored = localStorage.getItem(STORAGE_KEY);
  if (isLanguage(stored)) return stored;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

export async function startLanguage(): Promise<void> {
  const language = preferredLanguage();
  const { texts } = await loaders[language]();
  document.documentElement.lang = language;
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: texts },
    fallbackLng: false,
    defaultNS: 'shell',
    // React escapes texts itself.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}

export async function changeLanguage(language: Language): Promise<void> {
  const { texts } = await loaders[language]();
  for (const [namespace, bundle] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, bundle);
  document.documentElement.lang = language;
  localStorage.setItem(STORAGE_KEY, language);
  await i18next.changeLanguage(language);
}
