import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../.cache/original/', import.meta.url));
const program = join(folder, 'node_modules/@adguard/hostlist-compiler/src/cli.js');

/** The command of the original compiler, installed into a cache folder. It is GPL and must not become a dependency. */
export function originalCommand(): readonly string[] {
  if (!existsSync(program)) install();
  return [process.execPath, program];
}

function install(): void {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    private: true,
    dependencies: { '@adguard/hostlist-compiler': '2.1.1' },
    // Some mirrors lack the exact version of a dependency.
    overrides: { '@adguard/diff-builder': '^1.1.0' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
    cwd: folder,
    stdio: 'inherit',
  });
}
