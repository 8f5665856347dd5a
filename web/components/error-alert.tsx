import { Alert } from '@mantine/core';
import { problemOf } from '../api/api-error.ts';
import { useErrorText } from './error-text.ts';

type Props = {
  readonly error: unknown;
  /** Fields whose errors are shown next to the field. */
  readonly except?: readonly string[];
};

/** Error of an action, shown next to it. */
export function ErrorAlert({ error, except = [] }: Props) {
  const errorText = useErrorText();
  const problem = problemOf(error);
  const isShownByFields =
    problem.kind === 'refused' &&
    problem.fields.length > 0 &&
    problem.fields.every(({ field }) => except.includes(field));
  return isShownByFields ? null : (
    <Alert color="red" variant="light" role="alert">
      {errorText(problem)}
    </Alert>
  );
}
