import type { Source } from './configuration.ts';

const MAX_LENGTH = 200;

/** Display name of a source; inline rules are shown by their beginning. */
export const sourceName = ({ name, source }: Pick<Source, 'name' | 'source'>): string => name ?? firstLine(source);

export function firstLine(text: string): string {
  const trimmed = text.trim();
  const line = trimmed.split(/[\r\n]/, 1)[0]!.slice(0, MAX_LENGTH);
  return line.length < trimmed.length ? `${line}…` : line;
}
