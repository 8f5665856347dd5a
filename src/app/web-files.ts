import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseWeights } from '../http/encodings.ts';
import { oncePerKey } from '../kit/single-flight.ts';

/** A file with its type and encoding. */
type SentFile = { readonly type: string; readonly encoding: 'br' | 'gzip' | undefined; readonly bytes: Buffer };

const API_DOCUMENT = '__DOCUMENT__';

export type WebFiles = {
  /** The document, split where the style nonce is inserted. */
  readonly document: readonly string[];
  readonly serviceWorker: string;
  /** The page that shows the OpenAPI document at this path. */
  apiReference(documentPath: string): string;
  find(name: string, acceptEncoding: string | undefined): Promise<SentFile | undefined>;
};

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

const suffixes = { br: '.br', gzip: '.gz' } as const;
const gunzipped = promisify(gunzip);
const NONCE = '__STYLE_NONCE__';

/** The built web interface; undefined if it was not built. */
export async function openWebFiles(folder = builtFolder()): Promise<WebFiles | undefined> {
  if (folder === undefined || !existsSync(join(folder, 'index.html'))) return undefined;
  const document = (await readFile(join(folder, 'index.html'), 'utf8')).split(NONCE);
  const apiReference = await readFile(join(folder, 'api-reference.html'), 'utf8');
  const serviceWorker = await readFile(join(folder, 'service-worker.js'), 'utf8');
  const assets = join(folder, 'assets');
  // Requested names are looked up in the list of existing files and never used as part of a path.
  const names = new Set(await readdir(assets));
  const reads = oncePerKey<Buffer>();
  // Most files exist only compressed; clients that accept no compression are rare.
  const readBytes = async (name: string): Promise<Buffer> =>
    names.has(name) ? readFile(join(assets, name)) : gunzipped(await readFile(join(assets, name + suffixes.gzip)));
  const bytesOf = (name: string): Promise<Buffer> => reads(name, () => readBytes(name));
  return {
    document,
    serviceWorker,
    apiReference: (documentPath) => apiReference.replaceAll(API_DOCUMENT, documentPath),
    async find(name, acceptEncoding) {
      const type = types[extname(name)];
      if (type === undefined || !(names.has(name) || names.has(name + suffixes.gzip))) return undefined;
      const weights = parseWeights(acceptEncoding ?? '');
      const isWelcome = (encoding: keyof typeof suffixes): boolean =>
        (weights.get(encoding) ?? weights.get('*') ?? 0) > 0 && names.has(name + suffixes[encoding]);
      const encoding = (['br', 'gzip'] as const).find(isWelcome);
      return { type, encoding, bytes: await bytesOf(encoding ? name + suffixes[encoding] : name) };
    },
  };
}

/** Next to the built program; also used when running from source. */
function builtFolder(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
  return join(folder, 'dist', 'web');
}
