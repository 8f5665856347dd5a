// Runs before `npm start`: installs the packages and builds dist/, each only if something changed, and shows progress on standard error.
// With --for-package it runs before `npm pack` and always builds, because the package needs types, too. Written in JavaScript without
// dependencies, because it runs on Node 20 before any package is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundledNode = join(root, 'node_modules/.bin/node');
/** dist/ is up to date if it is newer than all of these, except tests. */
const sources = ['src', 'web', 'package.json', 'package-lock.json', ...buildScripts()];
const isForPackage = process.argv.includes('--for-package');
const PROGRESS_MS = process.stderr.isTTY ? 1000 : 10_000;
const startedAt = Date.now();

if (process.platform === 'win32' && !isForPackage) {
  console.error('Weir does not run on Windows: run "npm start" in the Windows Subsystem for Linux (wsl --install).');
  process.exit(1);
}

await install();
await build();
console.error(isForPackage ? '[3/3] Pack' : '[3/3] Start');

async function install() {
  const packages = lockedPackages('package-lock.json');
  if (isInstalled(packages)) return console.error('[1/3] Install packages: up to date');
  console.error('[1/3] Install packages (the first time: about 300 MB of downloads)');
  const total = Object.values(packages).filter(({ optional }) => !optional).length;
  const npm = process.env['npm_execpath'];
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run(npm ? [process.execPath, npm, ...words] : ['npm', ...words], () => {
    const count = countPackages(join(root, 'node_modules'));
    return count === 0 ? 'downloading' : `${Math.min(count, total)} of ${total} packages`;
  });
}

async function build() {
  const builtAt = modifiedAt(join(root, 'dist/.built'));
  const isUpToDate = sources.every((path) => newest(join(root, path)) <= builtAt);
  if (isUpToDate && !isForPackage) return console.error('[2/3] Build: up to date');
  console.error('[2/3] Build the program and the web interface');
  const types = isForPackage ? [] : ['--without-types'];
  await run([usableNode(), join(root, 'scripts/build.ts'), ...types], () => '');
}

/** Compares the lock file with the record that npm wrote at the end of the last installation. */
function isInstalled(wanted) {
  const recorded = lockedPackages('node_modules/.package-lock.json');
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const installed = recorded[path];
    if (!installed) return optional === true;
    return installed.version === version && installed.integrity === integrity;
  });
}

function lockedPackages(file) {
  const path = join(root, file);
  if (!existsSync(path)) return {};
  const { '': _project, ...packages } = JSON.parse(readFileSync(path, 'utf8')).packages;
  // Workspaces are part of the repository, not installed.
  return Object.fromEntries(
    Object.entries(packages).filter(([name, { link }]) => name.startsWith('node_modules/') && !link),
  );
}

/** For display only: npm creates all folders first, then unpacks the packages into them. */
function countPackages(folder) {
  if (!existsSync(folder)) return 0;
  const folders = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const count = (path, isScope) =>
    isScope
      ? countPackages(path)
      : Number(existsSync(join(path, 'package.json'))) + countPackages(join(path, 'node_modules'));
  return folders.reduce((sum, name) => sum + count(join(folder, name), name.startsWith('@')), 0);
}

function buildScripts() {
  return readdirSync(join(root, 'scripts'))
    .filter((name) => name.startsWith('build'))
    .map((name) => `scripts/${name}`);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return /\.test\.tsx?$/.test(path) ? 0 : stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The bundled Node, if it runs on this system (it needs glibc), or the Node that runs this file. */
function usableNode() {
  if (spawnSync(bundledNode, ['--version']).status === 0) return bundledNode;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 11)) return process.execPath;
  console.error(
    `Weir needs Node 24.11 or newer. The packages contain no Node for this system (${process.platform} ${process.arch}), and the Node on the PATH is ${process.versions.node}: install Node 24 and try again.`,
  );
  process.exit(1);
}

function run([program, ...words], progress) {
  const beganAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - beganAt) / 1000)} s`;
  const timer = setInterval(() => show([progress(), seconds()].filter(Boolean).join(', '), false), PROGRESS_MS);
  const child = spawn(program, words, { cwd: root, stdio: ['inherit', 2, 2] });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', (error) => fail(`${program}: ${error.message}`));
    child.once('exit', (code, signal) => {
      clearInterval(timer);
      if (code !== 0) fail(`"${words.join(' ')}" failed (${signal ?? `exit code ${code}`})`);
      show(`done in ${seconds()}`, true);
      resolve();
    });
  });
}

/** On a terminal, progress overwrites its line. */
function show(text, isFinal) {
  if (!process.stderr.isTTY) return console.error(`      ${text}`);
  process.stderr.write(`\r\x1b[K      ${text}${isFinal ? '\n' : ''}`);
}

function fail(message) {
  console.error(`\n${message} after ${Math.round((Date.now() - startedAt) / 1000)} s`);
  process.exit(1);
}
