// Builds the files of the installable web app: manifest, icons and service worker.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HtmlTagDescriptor, Plugin } from 'vite';

const shell = fileURLToPath(new URL('../web/shell/', import.meta.url));

const icons = [
  { file: 'icon-192', sizes: '192x192', purpose: 'any' },
  { file: 'icon-512', sizes: '512x512', purpose: 'any' },
  { file: 'icon-maskable', sizes: '512x512', purpose: 'maskable' },
].map(({ file, ...icon }) => {
  const source = readFileSync(`${shell}icons/${file}.png`);
  return { ...icon, source, fileName: hashedName(file, 'png', source) };
});

const manifest = JSON.stringify({
  name: 'Weir',
  short_name: 'Weir',
  id: '/',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#0b7285',
  icons: icons.map(({ fileName, sizes, purpose }) => ({ src: `/${fileName}`, sizes, type: 'image/png', purpose })),
});
const manifestName = hashedName('manifest', 'webmanifest', manifest);

/** Assets are cached forever, so their names contain a hash of their content. */
function hashedName(name: string, extension: string, source: string | Buffer): string {
  return `assets/${name}-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.${extension}`;
}

const tags: HtmlTagDescriptor[] = [
  { tag: 'link', attrs: { rel: 'manifest', href: `/${manifestName}` } },
  { tag: 'link', attrs: { rel: 'apple-touch-icon', href: `/${icons[0]!.fileName}` } },
  { tag: 'meta', attrs: { name: 'theme-color', content: '#ffffff', media: '(prefers-color-scheme: light)' } },
  { tag: 'meta', attrs: { name: 'theme-color', content: '#242424', media: '(prefers-color-scheme: dark)' } },
].map((tag) => ({ ...tag, injectTo: 'head' }));

export const appFiles: Plugin = {
  name: 'app-files',
  buildStart() {
    for (const { fileName, source } of icons) this.emitFile({ type: 'asset', fileName, source });
    this.emitFile({ type: 'asset', fileName: manifestName, source: manifest });
    const worker = readFileSync(`${shell}service-worker.js`, 'utf8');
    this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: worker });
  },
  transformIndexHtml: { order: 'post', handler: () => tags },
};
