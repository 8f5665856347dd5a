import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../api/api-error.ts';
import { countFailedAction } from '../api/connectivity.ts';
import { useErrorText } from './error-text.ts';
import { notifyError } from './notify.tsx';

type Outcomes<Given, Done> = { readonly onDone?: (done: Done, variables: Given) => void };

/**
 * Mutation for controls that cannot show an error themselves: errors appear as notifications. That the service is unreachable is
 * shown by the banner of the shell.
 */
export function useAction<Done, Given = void>(
  run: (variables: Given) => Promise<Done>,
  { onDone }: Outcomes<Given, Done> = {},
) {
  const errorText = useErrorText();
  return useMutation({
    mutationFn: run,
    onSuccess: (done, variables) => onDone?.(done, variables),
    onError: (error) => {
      const problem = problemOf(error);
      if (problem.kind === 'unreachable') countFailedAction();
      else notifyError(errorText(problem));
    },
  });
}
