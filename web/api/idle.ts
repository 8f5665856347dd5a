const STORED = 'weir-last-active';
const STEP_MS = 1000;

/** What only somebody does who is there. Pages also scroll by themselves: what counts is the wheel, the finger or the key. */
const SIGNS = ['keydown', 'pointerdown', 'pointermove', 'touchmove', 'wheel'] as const;

let own = Date.now();

/** In any tab: whoever works in one of them has not left the others. */
const lastActive = (): number => Math.max(own, Number(localStorage.getItem(STORED)));

export function noteActive(): void {
  own = Date.now();
  localStorage.setItem(STORED, String(own));
}

type Presence = 'here' | 'ends soon' | 'gone';

/** What to think of somebody who did nothing for so long. */
function presenceAfter(quietMs: number, idleMs: number): Presence {
  // Of a very short time the last half, or it would be said at once.
  const noticeMs = Math.min(60_000, idleMs / 2);
  if (quietMs >= idleMs) return 'gone';
  return quietMs >= idleMs - noticeMs ? 'ends soon' : 'here';
}

type Told = {
  readonly presence: (presence: Presence) => void;
  /** Somebody is active without asking for anything: to the service they would seem to be gone. */
  readonly stillHere: () => void;
};

/** Looks whether anybody is there, until it is stopped. */
export function watchPresence(idleMs: number, told: Told): () => void {
  let kept = Date.now();
  const presence = (): Presence => presenceAfter(Date.now() - lastActive(), idleMs);
  // Once it was said that the session ends, only an answer counts: a nudge at the table is none.
  const hear = (): void => {
    if (Date.now() - own >= STEP_MS && presence() === 'here') noteActive();
  };
  const look = (): void => {
    told.presence(presence());
    if (lastActive() <= kept || Date.now() - kept < Math.min(60_000, idleMs / 4)) return;
    kept = Date.now();
    told.stillHere();
  };
  const options = { capture: true, passive: true };
  for (const sign of SIGNS) addEventListener(sign, hear, options);
  const timer = setInterval(look, STEP_MS);
  return () => {
    clearInterval(timer);
    for (const sign of SIGNS) removeEventListener(sign, hear, options);
  };
}
