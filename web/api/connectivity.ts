import { createStore } from './store.ts';

const LOOK_AGAIN_MS = 3000;

const reachable = createStore(true);
export const useReachable = reachable.use;
export const onReachable = reachable.subscribe;
export const isReachable = reachable.get;

export const noteReached = (): void => reachable.set(true);

/** From the first request that nobody answered, it is looked every few seconds whether the service is back. */
export function noteUnreachable(): void {
  if (!reachable.get()) return;
  reachable.set(false);
  const look = async (): Promise<void> => {
    const isBack = await fetch('/health/live').then(
      ({ ok }) => ok,
      () => false,
    );
    if (isBack) noteReached();
    if (!reachable.get()) setTimeout(() => void look(), LOOK_AGAIN_MS);
  };
  setTimeout(() => void look(), LOOK_AGAIN_MS);
}
