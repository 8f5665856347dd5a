import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../api/api-error.ts';
import { useProblemWords } from './error-text.ts';
import { notifyProblem } from './notify.tsx';

type Outcomes<Given, Done> = { readonly onDone?: (done: Done, given: Given) => void };

/** For buttons and switches, which have no place of their own for a problem: it is told in a notification. */
export function useAction<Done, Given = void>(
  run: (given: Given) => Promise<Done>,
  { onDone }: Outcomes<Given, Done> = {},
) {
  const words = useProblemWords();
  return useMutation({
    mutationFn: run,
    onSuccess: (done, given) => onDone?.(done, given),
    onError: (error) => notifyProblem(words(problemOf(error))),
  });
}
