import { formatNames } from '../compiler/formats/format-names.ts';
import { version } from '../platform/version.ts';
import { type Flags, flagsHelp, type Given, parseFlags, unknownFlag } from './flags.ts';

// The flags of the original come first and mean the same: this command is also `hostlist-compiler`.
const flags = {
  config: { short: 'c', value: 'FILE', help: 'the configuration, JSON or YAML; "-" reads standard input' },
  input: {
    short: 'i',
    value: 'SOURCE…',
    many: true,
    help: 'URLs or files to compile instead, with the usual transformations',
  },
  'input-type': { short: 't', value: 'TYPE', help: 'type of the inputs, hosts or adblock (each line shows its own)' },
  output: { short: 'o', value: 'FILE', help: 'where to write the list; "-" is standard output' },
  verbose: { short: 'v', help: 'say more: each step, overlaps between sources, patterns that matched nothing' },
  version: { help: 'print the version' },
  help: { short: 'h', help: 'show this help' },
  format: { value: 'FORMAT', choices: formatNames, help: 'format of the list' },
  explain: { value: 'FILE', help: 'write every dropped rule: source, line, step and reason; "-" is standard output' },
  'skip-failed': { help: 'go on without sources that cannot be had; the list says which' },
  cache: { value: 'FOLDER', help: 'keep downloads there and ask only for what has changed' },
  stale: { help: 'use the kept copy of a source that cannot be had (needs --cache)' },
  timestamp: { value: 'TIME', help: 'the date to write, ISO 8601; else SOURCE_DATE_EPOCH, else now' },
  'if-changed': { help: 'leave the file alone when nothing but the date would change' },
  diff: { value: 'FILE', help: 'print what changed against an earlier list' },
  json: { help: 'print the summary as JSON' },
  quiet: { short: 'q', help: 'print errors only' },
} as const satisfies Flags;

const usage = `Usage: weir compile [FLAGS]

Compiles filter lists (adblock rules, hosts files, plain domains) into one, as
@adguard/hostlist-compiler does.

${flagsHelp(flags)}

Examples:
  weir compile -c config.json -o list.txt      what a configuration says
  weir compile -i hosts.txt -o list.txt        a file, with the usual transformations
  weir compile -i https://example.org/list.txt other.txt -o -
  weir compile -c config.yaml -o zone.rpz --format rpz
  weir compile -c config.yaml -o list.txt --explain dropped.txt --diff list.txt
  cat config.json | weir compile -c - -o - > list.txt

Sources are URLs, paths relative to the working directory, or rules themselves.`;

export async function run(words: readonly string[]): Promise<number> {
  const parsed = parseFlags(words, flags);
  if (!parsed.ok) {
    console.error(`weir: ${parsed.error} (see weir compile --help)`);
    return 1;
  }
  const { given, unknown } = parsed.value;
  for (const [flag, text] of [
    ['help', usage],
    ['version', version],
  ] as const) {
    if (!given.has(flag)) continue;
    console.log(text);
    return 0;
  }
  for (const name of unknown) console.error(`weir: ${unknownFlag(name, flags)}`);
  const { compileToFile } = await import('./compile.ts');
  return compileToFile(optionsOf(given));
}

function optionsOf(given: Given) {
  const value = (name: keyof typeof flags): string | undefined => given.get(name)?.[0];
  return {
    config: value('config'),
    inputs: given.get('input'),
    inputType: value('input-type') ?? 'hosts',
    output: value('output'),
    verbose: given.has('verbose'),
    format: formatNames.find((name) => name === value('format')) ?? 'adblock',
    explain: value('explain'),
    skipFailed: given.has('skip-failed'),
    cache: value('cache'),
    stale: given.has('stale'),
    timestamp: value('timestamp'),
    ifChanged: given.has('if-changed'),
    diff: value('diff'),
    json: given.has('json'),
    quiet: given.has('quiet'),
  };
}

export type CompileOptions = Readonly<ReturnType<typeof optionsOf>>;
