import { version } from '../platform/version.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 11)) {
  console.error(
    `Weir needs Node 24.11 or newer, but this is ${process.versions.node}: run "npm ci", which installs it.`,
  );
  process.exitCode = 1;
} else if (process.argv[2] === '--version') {
  // Scripts call it often: print it before anything else is loaded.
  console.log(version);
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}
