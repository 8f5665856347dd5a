/** Made by scripts/build-locales.ts: the languages that have all texts. */
declare module 'virtual:locales' {
  type Texts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  export const loaders: Readonly<Record<string, () => Promise<{ readonly texts: Texts }>>>;
}

/** Made by scripts/build-outline.ts: the texts of the outline in the same languages. */
declare module 'virtual:outline-texts' {
  export const languageTexts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
