// Builds dist/ from src/ and web/. It is bundled because loading sixty files takes longer than compiling a short list, and so that the
// published package needs no other packages.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RolldownOptions, rolldown } from 'rolldown';
import { buildCommonJs, buildTypes } from './build-library.ts';
import { writeNotices } from './build-notices.ts';
import { buildWeb } from './build-web.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });

const options: RolldownOptions = {
  platform: 'node',
  // koffi is native code; pg works without the optional pg-native.
  external: [/^node:/, 'koffi', 'pg-native'],
  // `weir compile` and the library run on Node 20, the rest on Node 24.
  transform: { target: 'node20' },
};

const bundle = await rolldown({
  ...options,
  input: Object.fromEntries(
    [
      'cli/main',
      'compiler/index',
      'client/index',
      // Entry files of threads; src/platform/thread-file.ts finds them by these paths.
      'compile-api/worker/download-worker',
      'compile-api/worker/compile-worker',
      'query-log/thread/log-worker',
      'app/query-log-thread',
      'dns-server/resolver-thread',
      'dns-server/rule-table-worker',
      'dns-server/udp-thread',
      'filter-lists/list-download-worker',
      'filter-lists/list-worker',
    ].map((path) => [path, `${root}src/${path}.ts`]),
  ),
});
const { output } = await bundle.write({
  dir: `${root}dist`,
  format: 'esm',
  chunkFileNames: 'chunks/[name].js',
  entryFileNames: '[name].js',
  // Names are not minified, so that stack traces are readable.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
// Data files keep their paths, too.
cpSync(`${root}src/network-clients/vendors.br`, `${root}dist/network-clients/vendors.br`);
await buildCommonJs(root, options);
const webModules = await buildWeb();
writeNotices(`${root}dist`, [
  ...output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])),
  ...webModules,
]);
// Only the npm package needs types.
if (!process.argv.includes('--without-types')) buildTypes(root);
// bin/weir runs dist/ only if no file in src/ is newer than this one.
writeFileSync(`${root}dist/.built`, '');
