// Makes dist/ from src/ and web/: bundled, because loading sixty files takes longer than compiling a short list; with the types of
// the library beside it.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildWeb } from './build-web.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });

const bundle = await rolldown({
  input: {
    'cli/main': `${root}src/cli/main.ts`,
    'compiler/index': `${root}src/compiler/index.ts`,
    // Threads start from files of their own.
    'app/gather-worker': `${root}src/app/gather-worker.ts`,
    'app/compile-worker': `${root}src/app/compile-worker.ts`,
    'log/log-worker': `${root}src/store/log/log-worker.ts`,
    'records/records-thread': `${root}src/app/records/records-thread.ts`,
    'dns/dns-thread': `${root}src/app/dns/dns-thread.ts`,
    'lists/list-download-worker': `${root}src/app/lists/list-download-worker.ts`,
    'lists/list-worker': `${root}src/app/lists/list-worker.ts`,
    'dns/rule-table-worker': `${root}src/app/dns/rule-table-worker.ts`,
    'dns/udp-thread': `${root}src/app/dns/udp-thread.ts`,
  },
  platform: 'node',
  // What only the service needs, or only a YAML file, stays as its package has it.
  external: [/^node:/, 'pg', 'koffi'],
});
await bundle.write({
  dir: `${root}dist`,
  format: 'esm',
  chunkFileNames: 'chunks/[name].js',
  entryFileNames: '[name].js',
});
await bundle.close();
await buildWeb();

execFileSync(`${root}node_modules/.bin/tsc`, ['-p', `${root}tsconfig.build.json`], { stdio: 'inherit' });
// bin/weir runs dist/ only while nothing in src/ is newer than this.
writeFileSync(`${root}dist/.built`, '');
