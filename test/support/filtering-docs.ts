import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../../docs/filtering.md', import.meta.url), 'utf8');

/** The rows of all tables in docs/filtering.md whose first column has this name and whose others begin so. */
export function tableRows(...heads: readonly string[]): readonly (readonly string[])[] {
  const tables = text.matchAll(/^(\|.*\|)\n\|[-|]+\|\n((?:\|.*\|\n?)+)/gm);
  return [...tables]
    .filter(([, head = '']) => heads.every((name, nth) => cellsOf(head)[nth] === name))
    .flatMap(([, , rows = '']) => rows.trimEnd().split('\n').map(cellsOf));
}

/** A `|` that parts no cells stands behind a backslash. */
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
  readonly client: string | undefined;
  readonly tags: readonly string[];
};

/** `NAME [TYPE] [--client NAME] [--tag TAG]`, as behind `weir query`. */
export function questionOf(words: string): Question {
  const [, name = '', type = 'A'] = /^(\S+)(?: ([A-Z]+))?/.exec(words)!;
  const [, quoted, bare] = /--client (?:"([^"]*)"|(\S+))/.exec(words) ?? [];
  const tags = Array.from(words.matchAll(/--tag (\S+)/g), ([, tag = '']) => tag);
  return { name, type, client: quoted ?? bare, tags };
}
