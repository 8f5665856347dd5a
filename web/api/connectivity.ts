import { createStore } from './store.ts';

const RETRY_MS = 3000;

const reachable = createStore(true);
export const useReachable = reachable.use;
export const onReachabilityChange = reachable.subscribe;
export const isReachable = reachable.get;

/** Counts actions that failed because the service is unreachable: the banner is announced again for each. */
const failedActions = createStore(0);
export const useFailedActions = failedActions.use;
export const countFailedAction = (): void => failedActions.set(failedActions.get() + 1);

export const setReachable = (): void => reachable.set(true);

export const isServiceUp = (): Promise<boolean> =>
  fetch('/health/live').then(
    ({ ok }) => ok,
    () => false,
  );

/** After the first failed request, polls the health endpoint until the service responds. */
export function setUnreachable(): void {
  if (!reachable.get()) return;
  reachable.set(false);
  const check = async (): Promise<void> => {
    if (await isServiceUp()) setReachable();
    if (!reachable.get()) setTimeout(() => void check(), RETRY_MS);
  };
  setTimeout(() => void check(), RETRY_MS);
}
