// Adds the API reference to dist/web: Swagger UI, with content hashes in the names of its files.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const swaggerUi = fileURLToPath(new URL('.', import.meta.resolve('swagger-ui-dist/package.json')));
const pageSources = `${root}web/api-reference/`;
const web = `${root}dist/web/`;

const assets = [
  `${swaggerUi}swagger-ui-bundle.js`,
  `${swaggerUi}swagger-ui.css`,
  `${pageSources}api-reference.js`,
  `${pageSources}api-reference.css`,
  `${root}web/shell/logo.svg`,
];
const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'];

export function addApiReference(): void {
  let page = readFileSync(`${pageSources}index.html`, 'utf8');
  for (const path of assets) {
    // The source maps are not copied.
    const text = readFileSync(path, 'utf8').replace(/\n\/\*# sourceMappingURL=.*\*\/\s*$/, '\n');
    const extension = extname(path);
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
    const name = `${basename(path, extension)}-${hash}${extension}`;
    writeFileSync(`${web}assets/${name}`, text);
    page = page.replace(`__${basename(path)}__`, `/assets/${name}`);
  }
  writeFileSync(`${web}api-reference.html`, page);
  mkdirSync(`${web}licenses/swagger-ui`, { recursive: true });
  for (const name of licences) copyFileSync(swaggerUi + name, `${web}licenses/swagger-ui/${name}`);
}
