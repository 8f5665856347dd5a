/** Made by scripts/build-locales.ts: the languages that have all texts. */
declare module 'virtual:locales' {
  type Texts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  export const loaders: Readonly<Record<string, () => Promise<{ readonly texts: Texts }>>>;
}
