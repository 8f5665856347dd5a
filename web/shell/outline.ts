// Draws the outline of the page while the scripts of the page are loaded. The document loads this script before the
// first paint, so it is bundled without any package.
import { languageTexts } from 'virtual:outline-texts';
import { allLanguages, chooseLanguage } from '../locales/languages.ts';
import { type OutlineView, outlineOf, pageChunkOf } from './outline-view.ts';
import { COLOUR_SCHEME_KEY, LANGUAGE_KEY, SIGNED_IN_KEY } from './stored-keys.ts';

const root = document.documentElement;
const scheme = localStorage.getItem(COLOUR_SCHEME_KEY);
const isDark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
root.dataset['mantineColorScheme'] = isDark ? 'dark' : 'light';

const offered = allLanguages.filter(({ id }) => Object.hasOwn(languageTexts, id));
const language = chooseLanguage(offered, localStorage.getItem(LANGUAGE_KEY), navigator.languages);
root.lang = language.id;
root.dir = language.direction;

const { pathname } = location;
const hasSession = localStorage.getItem(SIGNED_IN_KEY) !== null;
const view = outlineOf(pathname, hasSession, languageTexts[language.id]!);

const { sheets = '', chunks = '' } = document.currentScript?.dataset ?? {};

function request(rel: 'stylesheet' | 'modulepreload', file: string): void {
  const link = document.createElement('link');
  document.head.append(Object.assign(link, { rel, crossOrigin: '', href: `/assets/${file}` }));
}

// Not in the document, where they would delay the outline. Those of pages follow them in the head; main.tsx waits for them.
for (const file of sheets.split(' ')) request('stylesheet', file);

// The page would request these only after its first scripts have run.
const isPageKnown = hasSession || pathname === '/sign-in';
for (const name of [language.id, isPageKnown ? pageChunkOf(pathname) : undefined]) {
  const file = chunks.split(' ').find((file) => file.replace(/-[\w-]{8}\.js$/, '') === name);
  if (file !== undefined) request('modulepreload', file);
}

/** The style sheet shows `text` as generated content, so that assistive technology and searches find only the page. */
function element(name: string, text = '', ...children: readonly Node[]): HTMLElement {
  const made = document.createElement('div');
  made.className = `outline-${name}`;
  if (text !== '') made.dataset['text'] = text;
  made.append(...children);
  return made;
}

function logo(): HTMLElement {
  const image = document.createElement('img');
  image.src = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '';
  return element('logo', 'Weir', image);
}

function draw(view: OutlineView): HTMLElement[] {
  if (view.kind === 'card') {
    const fields = view.fields.map((text) => element('field', text, element('input')));
    return [
      element('narrow', '', logo(), element('card', '', element('title', view.title), ...fields, element('button'))),
    ];
  }
  const groups = view.groups.map((entries) =>
    element(
      'group',
      '',
      ...entries.map(({ text, isActive }) => element(isActive ? 'item outline-active' : 'item', text)),
    ),
  );
  const blocks = [1, 2, 3].map(() => element('block'));
  return [
    element('bar', '', logo(), element('find'), ...groups),
    element('main', '', element('title', view.title), ...blocks),
  ];
}

customElements.define(
  'page-outline',
  class extends HTMLElement {
    connectedCallback(): void {
      if (view) this.append(...draw(view));
    }
  },
);
