// Builds the CommonJS libraries, and the types for CommonJS and ECMAScript modules.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type RolldownOptions, rolldown } from 'rolldown';

/** module.exports of @adguard/hostlist-compiler is the compile function; ours also has the other exports as members. */
const FUNCTION_WITH_MEMBERS = 'module.exports = Object.assign(exports.default, exports);\n';

const libraries = [
  { entry: 'compiler/index.ts', file: 'index.js', outro: FUNCTION_WITH_MEMBERS },
  { entry: 'client/index.ts', file: 'client.js', outro: '' },
];

export async function buildCommonJs(root: string, options: RolldownOptions): Promise<void> {
  for (const { entry, file, outro } of libraries) {
    const bundle = await rolldown({ ...options, input: `${root}src/${entry}` });
    await bundle.write({
      file: `${root}dist/commonjs/${file}`,
      format: 'cjs',
      codeSplitting: false,
      exports: 'named',
      outro,
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    });
    await bundle.close();
  }
  // Makes Node and TypeScript treat .js files in this folder as CommonJS, although the package has `"type": "module"`.
  writeFileSync(`${root}dist/commonjs/package.json`, '{ "type": "commonjs" }\n');
}

export function buildTypes(root: string): void {
  execFileSync(`${root}node_modules/.bin/tsc`, ['-p', `${root}tsconfig.build.json`], { stdio: 'inherit' });
  mkdirSync(`${root}dist/commonjs`, { recursive: true });
  cpSync(`${root}dist/types`, `${root}dist/commonjs/types`, { recursive: true });
  const index = readFileSync(`${root}dist/types/compiler/index.d.ts`, 'utf8');
  writeFileSync(`${root}dist/commonjs/index.d.ts`, commonJsTypes(exportedTypes(index)));
}

/** Names of the exported types, including re-exported ones. */
function exportedTypes(declarations: string): string[] {
  const lists = Array.from(declarations.matchAll(/^export (type )?\{([^}]*)\}/gm), ([, isType, names = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => isType || name.startsWith('type '))
      .map((name) => name.replace(/^type /, '').replace(/^.* as /, '')),
  );
  const declared = Array.from(declarations.matchAll(/^export type (\w+)/gm), ([, name = '']) => name);
  return [...lists.flat(), ...declared];
}

const commonJsTypes = (types: readonly string[]): string => `import library = require('./types/compiler/index.js');
declare const compile: typeof library.compile & typeof library;
declare namespace compile {
${types.map((name) => `  export type ${name} = library.${name};\n`).join('')}}
export = compile;
`;
