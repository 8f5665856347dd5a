import type { Source } from './configuration.ts';

const MAX_LENGTH = 200;

/** What to call a source where people read it: rules given inline are known by how they begin. */
export const sourceName = ({ name, source }: Pick<Source, 'name' | 'source'>): string => name ?? firstLine(source);

export function firstLine(text: string): string {
  const whole = text.trim();
  const line = whole.split(/[\r\n]/, 1)[0]!.slice(0, MAX_LENGTH);
  return line.length < whole.length ? `${line}…` : line;
}
