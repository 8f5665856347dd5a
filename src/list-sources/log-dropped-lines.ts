/** The query of a URL may contain a secret and is omitted. */
const withoutQuery = (source: string): string => source.split(/[?#\r\n]/, 1)[0]!.slice(0, 200);

export const logDroppedLines =
  (onProblem: (problem: string) => void) =>
  (source: string, count: number): void =>
    onProblem(`${count} lines of ${withoutQuery(source)} were too long`);
