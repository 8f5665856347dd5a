import { formatNames } from '../compiler/formats/format-names.ts';
import { version } from '../platform/version.ts';
import { type Flags, flagsHelp, type Given, parseFlags, unknownFlag } from './flags.ts';

// The first flags are those of `hostlist-compiler`, for compatibility.
const flags = {
  config: { short: 'c', value: 'FILE', help: 'configuration file, JSON or YAML; "-" reads standard input' },
  input: {
    short: 'i',
    value: 'SOURCE…',
    many: true,
    help: 'URLs or files to compile with the default transformations instead of a configuration',
  },
  'input-type': { short: 't', value: 'TYPE', help: 'type of the inputs, hosts or adblock (detected per line)' },
  output: { short: 'o', value: 'FILE', help: 'output file; "-" is standard output' },
  verbose: { short: 'v', help: 'print each step, overlaps between sources, and unused patterns' },
  version: { help: 'print the version' },
  help: { short: 'h', help: 'show this help' },
  format: { value: 'FORMAT', choices: formatNames, help: 'format of the list' },
  explain: { value: 'FILE', help: 'write every dropped rule: source, line, step and reason; "-" is standard output' },
  'skip-failed': { help: 'skip sources that cannot be downloaded; the list header names them' },
  cache: { value: 'FOLDER', help: 'cache downloads in this folder and download only changes' },
  stale: { help: 'use the cached copy of a source that cannot be downloaded (needs --cache)' },
  timestamp: {
    value: 'TIME',
    help: 'date in the header, ISO 8601 (default: SOURCE_DATE_EPOCH, then the current time)',
  },
  'if-changed': { help: 'do not write the file if only the date would change' },
  diff: { value: 'FILE', help: 'print the differences to an earlier list' },
  exclude: { value: 'PATTERN…', many: true, help: 'more exclusions' },
  include: { value: 'PATTERN…', many: true, help: 'more inclusions' },
  transformation: {
    value: 'NAME…',
    many: true,
    help: 'transformations of the list, instead of those of the configuration or the default ones',
  },
  timeout: { value: 'SECONDS', help: 'time limit of one attempt to download a source (30)' },
  retries: { value: 'NUMBER', help: 'retries of a download (3)' },
  'max-rules': { value: 'NUMBER', help: 'fail if the list has more rules' },
  'fail-if-empty': { help: 'fail if the list has no rules' },
  'max-shrink': {
    value: 'PERCENT',
    help: 'fail if the list loses more than this share of the rules in the output file, such as 30%',
  },
  lenient: {
    help: 'accept configurations with unknown members, and with validators of sources beside one of the list, with warnings',
  },
  watch: { help: 'compile again when the configuration or a local source changes' },
  benchmark: { help: 'print the duration of each source and step' },
  json: { help: 'print the summary as JSON' },
  quiet: { short: 'q', help: 'print errors only' },
} as const satisfies Flags;

const usage = `Usage: weir compile [FLAGS]

Compiles filter lists (adblock rules, hosts files, plain domains) into one, as
@adguard/hostlist-compiler does.

${flagsHelp(flags)}

Examples:
  weir compile -c config.json -o list.txt      compile a configuration
  weir compile -i hosts.txt -o list.txt        compile a file with the default transformations
  weir compile -i https://example.org/list.txt other.txt -o -
  weir compile -c config.yaml -o zone.rpz --format rpz
  weir compile -c config.yaml -o list.txt --explain dropped.txt --diff list.txt
  weir compile -c config.yaml -o list.txt --fail-if-empty --max-shrink 30%
  cat config.json | weir compile -c - -o - > list.txt

Sources are URLs, paths relative to the working directory, or rules.`;

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
    exclude: given.get('exclude') ?? [],
    include: given.get('include') ?? [],
    transformations: given.get('transformation'),
    timeout: value('timeout'),
    retries: value('retries'),
    maxRules: value('max-rules'),
    failIfEmpty: given.has('fail-if-empty'),
    maxShrink: value('max-shrink'),
    lenient: given.has('lenient'),
    watch: given.has('watch'),
    benchmark: given.has('benchmark'),
    json: given.has('json'),
    quiet: given.has('quiet'),
  };
}

export type CompileOptions = Readonly<ReturnType<typeof optionsOf>>;
