import type { Plugin } from 'vite';
import { localeFiles, localeFolders, localeProblems, localeTexts } from './locale-texts.ts';

const INDEX = 'virtual:locales';

/** Builds one chunk per complete language; languages with missing texts are left out. */
export const locales: Plugin = {
  name: 'locales',
  resolveId: (id) => (id === INDEX || id.startsWith(`${INDEX}/`) ? `\0${id}` : null),
  load(id) {
    if (id === `\0${INDEX}`) {
      const english = localeTexts('en');
      const complete = localeFolders().filter((language) => {
        const problems = localeProblems(language, english, localeTexts(language));
        if (problems.length > 0)
          this.warn(`${language} is not offered: ${problems.length} texts, first ${problems[0]}`);
        return problems.length === 0;
      });
      return `export const loaders = {${complete.map((language) => `'${language}': () => import('${INDEX}/${language}')`).join(',')}};`;
    }
    const language = id.startsWith(`\0${INDEX}/`) ? id.slice(INDEX.length + 2) : undefined;
    if (language === undefined) return null;
    const files = localeFiles(language);
    return [
      ...files.map(({ path, namespace }) => `import ${namespace} from ${JSON.stringify(path)};`),
      `export const texts = {${files.map(({ namespace }) => namespace).join(',')}};`,
    ].join('\n');
  },
};
