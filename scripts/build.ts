// Makes dist/ from src/ and web/: bundled, because loading sixty files takes longer than compiling a short list; with the types of
// the library beside it.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildWeb } from './build-web.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });

const bundle = await rolldown({
  input: Object.fromEntries(
    [
      'cli/main',
      'compiler/index',
      // Threads start from files of their own: src/platform/thread-file.ts finds them by these paths.
      'compile-api/worker/download-worker',
      'compile-api/worker/compile-worker',
      'query-log/thread/log-worker',
      'app/query-log-thread',
      'dns-server/dns-thread',
      'dns-server/rule-table-worker',
      'dns-server/udp-thread',
      'filter-lists/list-download-worker',
      'filter-lists/list-worker',
    ].map((path) => [path, `${root}src/${path}.ts`]),
  ),
  platform: 'node',
  // koffi is native code, and pg is loaded only with PostgreSQL.
  external: [/^node:/, 'pg', 'koffi'],
});
await bundle.write({
  dir: `${root}dist`,
  format: 'esm',
  chunkFileNames: 'chunks/[name].js',
  entryFileNames: '[name].js',
});
await bundle.close();
// Data files keep their paths, too.
cpSync(`${root}src/network-clients/vendors.br`, `${root}dist/network-clients/vendors.br`);
await buildWeb();

// Only the library needs types.
if (!process.argv.includes('--without-types'))
  execFileSync(`${root}node_modules/.bin/tsc`, ['-p', `${root}tsconfig.build.json`], { stdio: 'inherit' });
// bin/weir runs dist/ only while nothing in src/ is newer than this.
writeFileSync(`${root}dist/.built`, '');
