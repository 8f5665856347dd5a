/** The reason why JavaScript rejects a pattern `/…/`; undefined if it is accepted. */
export function whyUnreadable(pattern: string): string | undefined {
  try {
    RegExp(pattern.slice(1, -1));
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's message repeats the expression, however long, before the reason.
    return `JavaScript cannot read the regular expression: ${error.message.split(': ').at(-1)}`;
  }
}
