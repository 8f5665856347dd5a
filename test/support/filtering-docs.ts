import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../docs/filtering.md', import.meta.url), 'utf8');

/** The rows of all tables in docs/filtering.md with this first column, whose other columns begin with these names. */
export function tableRows(...heads: readonly string[]): readonly (readonly string[])[] {
  const tables = text.matchAll(/^(\|.*\|)\n\|[-|]+\|\n((?:\|.*\|\n?)+)/gm);
  return [...tables]
    .filter(([, head = '']) => heads.every((name, nth) => cellsOf(head)[nth] === name))
    .flatMap(([, , rows = '']) => rows.trimEnd().split('\n').map(cellsOf));
}

/** A `|` within a cell is escaped with a backslash. */
const cellsOf = (row: string): readonly string[] =>
  row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** Texts between backticks. */
export const codesIn = (cell: string): readonly string[] =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);

export type Question = {
  readonly name: string;
  readonly type: string;
  readonly clients: readonly string[];
  readonly tags: readonly string[];
  readonly answer: readonly string[];
};

/** Parses `NAME [TYPE] [--client NAME] [--tag TAG]`, as after `weir query`. */
export function questionOf(words: string): Question {
  const [, name = '', type = 'A'] = /^(\S+)(?: ([A-Z]+))?/.exec(words)!;
  const clients = Array.from(
    words.matchAll(/--client (?:"([^"]*)"|(\S+))/g),
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  const answer = Array.from(words.matchAll(/--answer (\S+)/g), ([, target = '']) => target);
  const tags = Array.from(words.matchAll(/--tag (\S+)/g), ([, tag = '']) => tag);
  return { name, type, clients, tags, answer };
}
