#!/usr/bin/env node
// The command of the npm package. `weir compile` runs in this process, on every system with Node 20 or newer. For all other commands
// it runs the shell script beside it, which selects a Node and its flags.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const launcher = fileURLToPath(new URL('weir', import.meta.url));
const main = new URL('../dist/cli/main.js', import.meta.url);
const isCompiler = ['compile', '--version'].includes(process.argv[2]);
const words = process.argv.slice(2);

if (!existsSync(main)) {
  console.error('weir: this package has no folder dist: it was packed before "npm run build".');
  process.exitCode = 1;
} else if (isCompiler) {
  await import(main);
} else if (process.platform === 'win32') {
  console.error(
    `weir: on Windows only "weir compile" works. Run "weir ${words[0] ?? ''}" in the Windows Subsystem for Linux (wsl --install).`,
  );
  process.exitCode = 1;
} else if (process.execve) {
  process.execve('/bin/sh', ['sh', launcher, ...words]);
} else {
  const child = spawn('/bin/sh', [launcher, ...words], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}
