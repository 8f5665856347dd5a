/** Why JavaScript cannot read a pattern `/…/`, in words; undefined when it can. */
export function whyUnreadable(pattern: string): string | undefined {
  try {
    RegExp(pattern.slice(1, -1));
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's words repeat the expression, however long, before they come to the point.
    return `JavaScript cannot read the regular expression: ${error.message.split(': ').at(-1)}`;
  }
}
