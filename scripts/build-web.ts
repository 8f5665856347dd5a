// Builds dist/web from web/: one document, and assets with content hashes in their names, compressed with brotli and gzip.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type HtmlTagDescriptor, type Plugin } from 'vite';
import { addApiReference } from './build-api-reference.ts';
import { appFiles } from './build-app-files.ts';
import { locales } from './build-locales.ts';
import { outline } from './build-outline.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const MIN_COMPRESSED_BYTES = 512;

// Each chunk costs a request: the code of all pages is bundled into three chunks, overlays and rarer fields into others.
const initial: '$initial'[] = ['$initial'];
const overlays =
  /@floating-ui|remove-scroll|\b(Popover|Menu|Modal|ModalBase|Drawer|Combobox|Tooltip|Floating|FocusTrap|ScrollArea)\b|web.components.(dialog|confirm|qr-b|copy-b)/;
/** Form and settings components, which the dashboard does not need. */
const fields =
  /react-number-format|\b(NumberInput|SegmentedControl|FloatingIndicator|Progress|Textarea|Tabs\w*|Checkbox\w*|PasswordInput|PasswordToggleIcon|tab-list)\b/;
/** The document finds the chunk of a language by its name: other texts in that language have another one. */
const furtherTexts = /web.pages.+?([\w-]+).[\w-]+\.json$/;
const editors = /codemirror|lezer|crelt|style-mod|w3c-keyname/;
const sharedModules = /node_modules.(@mantine|@tabler|@tanstack.(?!.*virtual))|web.(components|api)/;
const groups = [
  { name: 'packages', test: /node_modules/, tags: initial, priority: 5 },
  { name: 'shell', tags: initial, priority: 4 },
  {
    name: 'shared',
    test: (id: string) => sharedModules.test(id) && !overlays.test(id) && !fields.test(id),
    minShareCount: 3,
    priority: 3,
  },
  { name: 'fields', test: fields, minShareCount: 2, priority: 2 },
  { name: 'overlays', test: overlays, minShareCount: 2, priority: 2 },
  { name: 'editors', test: editors, minShareCount: 2, priority: 1 },
  { name: 'chart', test: /uplot|web.components.time-chart/, minShareCount: 2, priority: 6 },
];

/** Imports the styles of each Mantine component with its script, so that unused components add no styles. */
const componentStyles: Plugin = {
  name: 'component-styles',
  transform(code, id) {
    const [, component] = /@mantine.core.esm.+?(\w+)\.module\.mjs/.exec(id) ?? [];
    return component === undefined
      ? null
      : { code: `import '@mantine/core/styles/${component}.css';\n${code}`, map: null };
  },
};

/** Preloads the shared chunks in the document. */
const sharedChunks: Plugin = {
  name: 'shared-chunks',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => Object.keys(bundle).flatMap((file) => sharedTags(`/${file}`)),
  },
};

function sharedTags(href: string): HtmlTagDescriptor[] {
  const [, kind] = /^\/assets\/shared-[\w-]+\.(js|css)$/.exec(href) ?? [];
  if (kind === undefined) return [];
  return kind === 'css'
    ? [{ tag: 'link', injectTo: 'head', attrs: { rel: 'stylesheet', crossorigin: true, href } }]
    : [{ tag: 'link', injectTo: 'head', attrs: { rel: 'modulepreload', crossorigin: true, href } }];
}

/** Returns the paths of the bundled files. */
export async function buildWeb(): Promise<string[]> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root: `${root}web`,
    plugins: [react(), locales, componentStyles, sharedChunks, appFiles, outline],
    // The service replaces this placeholder with the nonce of each response.
    html: { cspNonce: '__STYLE_NONCE__' },
    build: {
      outDir: `${root}dist/web`,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        output: {
          codeSplitting: { groups: [...groups] },
          chunkFileNames: ({ facadeModuleId }) => {
            const [, folder] = furtherTexts.exec(facadeModuleId ?? '') ?? [];
            return folder === undefined ? 'assets/[name]-[hash].js' : `assets/${folder}-[name]-[hash].js`;
          },
        },
      },
    },
  });
  addApiReference();
  await compressAll(`${root}dist/web/assets/`);
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const modules = outputs.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  return [...modules, fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))];
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Replaces all files except small ones by compressed ones; the service decompresses them for clients that accept no compression. */
async function compressAll(folder: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg|json)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = readFileSync(folder + name);
      if (bytes.length < MIN_COMPRESSED_BYTES) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${folder}${name}.br`, await brotli(bytes, { params }));
      writeFileSync(`${folder}${name}.gz`, await gzipped(bytes, { level: 9 }));
      rmSync(folder + name);
    }),
  );
}
