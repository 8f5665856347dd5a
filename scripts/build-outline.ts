// Builds the outline of the page (script and styles), which the document shows until the page is loaded.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';
import { outlineKeys } from '../web/shell/outline-view.ts';
import { localeFolders, localeProblems, localeTexts } from './locale-texts.ts';

const shell = fileURLToPath(new URL('../web/shell/', import.meta.url));
const TEXTS = 'virtual:outline-texts';

/** Texts of the outline in every complete language. */
function outlineTexts(): Record<string, Record<string, string>> {
  const english = localeTexts('en');
  const complete = localeFolders()
    .map((language) => ({ language, texts: localeTexts(language) }))
    .filter(({ language, texts }) => localeProblems(language, english, texts).length === 0);
  return Object.fromEntries(
    complete.map(({ language, texts }) => [
      language,
      Object.fromEntries(outlineKeys.map((key) => [key, texts.get(key)!])),
    ]),
  );
}

async function outlineScript(): Promise<string> {
  const bundle = await rolldown({
    input: `${shell}outline.ts`,
    platform: 'browser',
    plugins: [
      {
        name: 'outline-texts',
        resolveId: (id) => (id === TEXTS ? `\0${TEXTS}` : null),
        load: (id) => (id === `\0${TEXTS}` ? `export const languageTexts = ${JSON.stringify(outlineTexts())};` : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}

export const outline: Plugin = {
  name: 'outline',
  async buildStart() {
    this.emitFile({ type: 'asset', name: 'outline.js', source: await outlineScript() });
  },
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const files = Object.keys(bundle).map((path) => path.replace('assets/', ''));
      const sheets = [...html.matchAll(STYLE_SHEET)].map(([, file]) => file!);
      return html.replaceAll(STYLE_SHEET, '').replace('</title>\n', `</title>\n${headElements(files, sheets)}`);
    },
  },
};

/** Style sheets that the script adds. In the document they would block rendering of the outline. */
const STYLE_SHEET = /^ *<link rel="stylesheet".* href="\/assets\/([^"]+)".*\n/gm;
/** Chunks of languages and pages, which the script preloads by name. */
const CHUNK = /^(?:[a-z]{2}(?:-[A-Z]{2})?|[a-z-]+-page)-[\w-]{8}\.js$/;

function headElements(files: readonly string[], sheets: readonly string[]): string {
  const script = files.find((file) => /^outline-[\w-]{8}\.js$/.test(file));
  const styles = readFileSync(`${shell}outline.css`, 'utf8').replaceAll(/\s+/g, ' ');
  const chunks = files.filter((file) => CHUNK.test(file)).join(' ');
  return `    <style>${styles}</style>\n    <script src="/assets/${script}" data-sheets="${sheets.join(' ')}" data-chunks="${chunks}"></script>\n`;
}
