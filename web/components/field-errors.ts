import { problemOf } from '../api/api-error.ts';
import { serviceMessage } from './service-message.ts';

/** Error messages of a response by field name. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  const problem = problemOf(error);
  return problem.kind === 'refused'
    ? Object.fromEntries(problem.fields.map(({ field, message }) => [field, serviceMessage(message)]))
    : {};
}
