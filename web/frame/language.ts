import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

const loads = {
  en: () => import('../words/en.ts'),
  de: () => import('../words/de.ts'),
} as const;

export type Language = keyof typeof loads;
export const languages: readonly { readonly id: Language; readonly name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
];

const STORED = 'weir-language';
const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(loads, text);

function preferred(): Language {
  const chosen = localStorage.getItem(STORED);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

export async function startLanguage(): Promise<void> {
  const language = preferred();
  const { words } = await loads[language]();
  document.documentElement.lang = language;
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: { [language]: words },
    fallbackLng: false,
    defaultNS: 'frame',
    // React shows every text as text.
    interpolation: { escapeValue: false },
    returnNull: false,
  });
}

export async function changeLanguage(language: Language): Promise<void> {
  const { words } = await loads[language]();
  for (const [page, texts] of Object.entries(words)) i18next.addResourceBundle(language, page, texts);
  document.documentElement.lang = language;
  localStorage.setItem(STORED, language);
  await i18next.changeLanguage(language);
}
