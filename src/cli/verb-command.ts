import { type Flags, flagsHelp, type Given, parseFlags } from './flags.ts';
import { messageOf } from './message-of.ts';
import { readStoreSettings } from './store-settings.ts';

export const outputFlags = {
  json: { help: 'print the result as JSON' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Flags;

type Arguments<Name extends string> = {
  readonly given: Given;
  /** The value of a flag; throws if it is missing. */
  readonly value: (name: Name) => string;
};

export type Verbs<Target, Name extends string> = Readonly<
  Record<string, { readonly summary: string; readonly run: (target: Target, args: Arguments<Name>) => Promise<object> }>
>;

type Command<Target, Names extends Flags> = {
  readonly name: string;
  readonly flags: Names;
  readonly verbs: Verbs<Target, keyof Names & string>;
  /** One sentence, if the verbs do not explain the command. */
  readonly about?: string;
  readonly examples: readonly string[];
  readonly open: (settings: Awaited<ReturnType<typeof readStoreSettings>>) => Promise<Target>;
  readonly inWords: (result: object) => string;
};

/** Runs `weir NAME VERB [FLAGS]` on the store of an installation. */
export async function runVerb<Target extends { readonly close: () => Promise<void> }, Names extends Flags>(
  command: Command<Target, Names>,
  [verb = '', ...words]: readonly string[],
): Promise<number> {
  const { name, flags, verbs } = command;
  const parsed = parseFlags(words, flags);
  if (!parsed.ok) return fail(`${parsed.error} (see weir ${name} --help)`);
  const { given, unknown } = parsed.value;
  if (['--help', '-h', 'help', ''].includes(verb) || given.has('help')) {
    console.log(usageOf(command));
    return verb === '' ? 1 : 0;
  }
  if (unknown.length > 0) return fail(`unknown option ${unknown[0]} (see weir ${name} --help)`);
  const chosen = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!chosen) return fail(`unknown command "${verb}"; available: ${Object.keys(verbs).join(', ')}`);
  const value = (flag: string): string => {
    const found = given.get(flag)?.[0];
    if (found === undefined) throw new Error(`--${flag} is required`);
    return found;
  };
  try {
    const target = await command.open(await readStoreSettings(given));
    try {
      const result = await chosen.run(target, { value, given });
      console.log(given.has('json') ? JSON.stringify(result) : command.inWords(result));
    } finally {
      await target.close();
    }
    return 0;
  } catch (error) {
    return fail(messageOf(error));
  }
}

const usageOf = <Target, Names extends Flags>({
  name,
  flags,
  verbs,
  about,
  examples,
}: Command<Target, Names>): string =>
  [
    `Usage: weir ${name} VERB [FLAGS]`,
    ...(about === undefined ? [] : [about]),
    Object.entries(verbs)
      .map(([verb, { summary }]) => `  ${verb.padEnd(8)} ${summary}`)
      .join('\n'),
    flagsHelp(flags),
    'The service may be running or stopped.',
    ['Examples:', ...examples.map((example) => `  weir ${name} ${example}`)].join('\n'),
  ].join('\n\n');

function fail(message: string): number {
  console.error(`weir: ${message}`);
  return 1;
}

/** `name: value` pairs on one line. */
export const lineOf = (result: object): string =>
  Object.entries(result)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('  ');
