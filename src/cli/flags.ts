import { parseArgs } from 'node:util';
import { didYouMean } from '../kit/did-you-mean.ts';
import { err, ok, type Result } from '../kit/result.ts';

/** A flag of a command. Without `value` it is a switch; `many` takes all values up to the next flag and may repeat. */
type Flag = {
  readonly short?: string;
  readonly value?: string;
  readonly many?: true;
  readonly choices?: readonly string[];
  readonly help: string;
};
export type Flags = Readonly<Record<string, Flag>>;

type OptionToken = {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
};

/** Values by flag; empty for a switch. */
export type Given = ReadonlyMap<string, readonly string[]>;

/** Parses a command line. Unknown flags are returned, not rejected: scripts may pass flags of other versions. */
export function parseFlags(
  words: readonly string[],
  flags: Flags,
): Result<{ given: Given; unknown: readonly string[] }, string> {
  const { tokens } = parseArgs({
    args: [...words],
    options: optionsOf(flags),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  const unknown: string[] = [];
  let taking: string[] | undefined;
  for (const token of tokens) {
    if (token.kind === 'positional') taking?.push(token.value);
    if (token.kind !== 'option') continue;
    taking = undefined;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (!flag) {
      unknown.push(token.rawName);
      continue;
    }
    const value = givenValue(token);
    const fault = faultOf(flag, token.rawName, value);
    if (fault !== undefined) return err(fault);
    const values = flag.many ? (given.get(token.name) ?? []) : [];
    if (flag.value !== undefined) values.push(value!);
    given.set(token.name, values);
    taking = flag.many ? values : undefined;
  }
  return ok({ given, unknown });
}

/** `-o=FILE` is written as often as `--output=FILE`. */
const givenValue = ({ rawName, value, inlineValue }: OptionToken): string | undefined =>
  inlineValue && !rawName.startsWith('--') ? value?.replace(/^=/, '') : value;

function faultOf({ value, choices }: Flag, name: string, text: string | undefined): string | undefined {
  if (value !== undefined && text === undefined) return `${name} needs ${value}`;
  if (choices && !choices.includes(text!)) return `${name}: "${text}" must be one of ${choices.join(', ')}`;
  return undefined;
}

const optionsOf = (flags: Flags): Record<string, { type: 'string' | 'boolean'; short?: string }> =>
  Object.fromEntries(
    Object.entries(flags).map(([name, { short, value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', ...(short !== undefined && { short }) },
    ]),
  );

/** Warning for an ignored flag. */
export function unknownFlag(name: string, flags: Flags): string {
  const suggestion = didYouMean(name.replace(/^-+/, ''), Object.keys(flags));
  return `unknown option ${name} ignored${suggestion === undefined ? '' : `; did you mean --${suggestion}?`}`;
}

const TERM_WIDTH = 26;
const HELP_WIDTH = 80;

/** Help in columns, the long name first as in the original: `--config, -c FILE`. */
export function flagsHelp(flags: Flags): string {
  return Object.entries(flags)
    .map(([name, { short, value, choices, help }]) => {
      const term =
        name === 'help'
          ? '-h, --help'
          : [`--${name}${short === undefined ? '' : `, -${short}`}`, value].filter(Boolean).join(' ');
      return `  ${term.padEnd(TERM_WIDTH)} ${wrapped(choices ? `${help}: ${choices.join(', ')}` : help)}`;
    })
    .join('\n');
}

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + word.length + TERM_WIDTH + 4 > HELP_WIDTH) lines.push('');
    lines.push(`${lines.pop()!}${lines.at(-1) === '' ? '' : ' '}${word}`);
  }
  return lines.map((line) => line.trim()).join(`\n${' '.repeat(TERM_WIDTH + 3)}`);
}
