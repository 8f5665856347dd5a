const STORAGE_KEY = 'weir-last-active';
const STEP_MS = 1000;

/** User input only: `scroll` events also fire without a user. */
const ACTIVITY_EVENTS = ['keydown', 'pointerdown', 'pointermove', 'touchmove', 'wheel'] as const;

let lastActiveHere = Date.now();

/** Shared between tabs: activity in one tab keeps the session of all tabs. */
const lastActive = (): number => Math.max(lastActiveHere, Number(localStorage.getItem(STORAGE_KEY)));

export function recordActivity(): void {
  lastActiveHere = Date.now();
  localStorage.setItem(STORAGE_KEY, String(lastActiveHere));
}

type IdleState = 'active' | 'warning' | 'expired';

function idleStateAfter(inactiveMs: number, idleMs: number): IdleState {
  // At most half of the idle time, so that a short limit does not warn immediately.
  const warningMs = Math.min(60_000, idleMs / 2);
  if (inactiveMs >= idleMs) return 'expired';
  return inactiveMs >= idleMs - warningMs ? 'warning' : 'active';
}

type Handlers = {
  readonly onState: (state: IdleState) => void;
  /** Called for activity without requests, so that the service extends the session too. */
  readonly onActivity: () => void;
};

/** Reports the idle state every second; returns a function that stops it. */
export function watchIdle(idleMs: number, handlers: Handlers): () => void {
  let lastReported = Date.now();
  const state = (): IdleState => idleStateAfter(Date.now() - lastActive(), idleMs);
  // Once the warning is shown, only its button counts: a nudged mouse must not extend the session.
  const onEvent = (): void => {
    if (Date.now() - lastActiveHere >= STEP_MS && state() === 'active') recordActivity();
  };
  const check = (): void => {
    handlers.onState(state());
    if (lastActive() <= lastReported || Date.now() - lastReported < Math.min(60_000, idleMs / 4)) return;
    lastReported = Date.now();
    handlers.onActivity();
  };
  const options = { capture: true, passive: true };
  for (const event of ACTIVITY_EVENTS) addEventListener(event, onEvent, options);
  const timer = setInterval(check, STEP_MS);
  return () => {
    clearInterval(timer);
    for (const event of ACTIVITY_EVENTS) removeEventListener(event, onEvent, options);
  };
}
