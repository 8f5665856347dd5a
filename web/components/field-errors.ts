import { problemOf } from '../api/api-error.ts';

/** What the service says of single fields, by their names. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  const problem = problemOf(error);
  return problem.kind === 'refused'
    ? Object.fromEntries(problem.fields.map(({ field, message }) => [field, message]))
    : {};
}
