import { Alert } from '@mantine/core';
import { problemOf } from '../api/api-error.ts';
import { useProblemWords } from './error-text.ts';

type Props = {
  readonly error: unknown;
  /** Fields that say themselves what is wrong with them. */
  readonly except?: readonly string[];
};

/** Beside what was tried: why it did not work. */
export function ProblemNote({ error, except = [] }: Props) {
  const words = useProblemWords();
  const problem = problemOf(error);
  const isToldElsewhere =
    problem.kind === 'refused' &&
    problem.fields.length > 0 &&
    problem.fields.every(({ field }) => except.includes(field));
  return isToldElsewhere ? null : (
    <Alert color="red" variant="light" role="alert">
      {words(problem)}
    </Alert>
  );
}
