/** The steps of a JSON pointer (RFC 6901). */
export const pointerSteps = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A path as error messages show it: `requests[2].id`. */
export const readablePath = (steps: readonly string[]): string =>
  steps
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
