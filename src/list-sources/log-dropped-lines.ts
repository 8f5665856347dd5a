/** Omits the query of a URL, which may contain a secret. */
const withoutQuery = (source: string): string => source.split(/[?#\r\n]/, 1)[0]!.slice(0, 200);

export const logDroppedLines =
  (onProblem: (problem: string) => void) =>
  (source: string, count: number): void =>
    onProblem(`${count} lines of ${withoutQuery(source)} were too long`);
