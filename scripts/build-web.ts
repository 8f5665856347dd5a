// Makes dist/web from web/: one document, and files whose names change with their content, compressed as far as it goes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const SMALLEST_BYTES = 512;

/** As `npm run build` does it. */
export async function buildWeb(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: `${root}web`,
    plugins: [react()],
    // Styles that scripts load get the nonce of the page; the service puts it in the place of this word.
    html: { cspNonce: '__STYLE_NONCE__' },
    build: {
      outDir: `${root}dist/web`,
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
    },
  });
  await compressAll(`${root}dist/web/assets/`);
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compressAll(folder: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => /\.(js|css|svg|json)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = readFileSync(folder + name);
      if (bytes.length < SMALLEST_BYTES) return;
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${folder}${name}.br`, await brotli(bytes, { params }));
      writeFileSync(`${folder}${name}.gz`, await gzipped(bytes, { level: 9 }));
    }),
  );
}
