/**
 * Languages of the interface in the order of the menu. A language is offered once its folder has all texts. A language
 * that is not reviewed was translated by a machine, and the menu says so.
 */
export const allLanguages = [
  { id: 'en', name: 'English', isReviewed: true, direction: 'ltr' },
  { id: 'de', name: 'Deutsch', isReviewed: true, direction: 'ltr' },
  { id: 'es', name: 'Español', isReviewed: false, direction: 'ltr' },
  { id: 'fr', name: 'Français', isReviewed: false, direction: 'ltr' },
  { id: 'it', name: 'Italiano', isReviewed: false, direction: 'ltr' },
  { id: 'nl', name: 'Nederlands', isReviewed: false, direction: 'ltr' },
  { id: 'pl', name: 'Polski', isReviewed: false, direction: 'ltr' },
  { id: 'pt-BR', name: 'Português (Brasil)', isReviewed: false, direction: 'ltr' },
  { id: 'ar', name: 'العربية', isReviewed: false, direction: 'rtl' },
] as const;

export type Language = (typeof allLanguages)[number];
export type LanguageId = Language['id'];

const baseOf = (tag: string): string => tag.split('-')[0]!.toLowerCase();

/** The stored language, or the first one of the browser that is offered, in any regional variant, or English. */
export function chooseLanguage(
  offered: readonly Language[],
  stored: string | null,
  browserTags: readonly string[],
): Language {
  const matches = browserTags.flatMap((tag) => [
    ...offered.filter(({ id }) => id.toLowerCase() === tag.toLowerCase()),
    ...offered.filter(({ id }) => baseOf(id) === baseOf(tag)),
  ]);
  return offered.find(({ id }) => id === stored) ?? matches[0] ?? allLanguages[0];
}
