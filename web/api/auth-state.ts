import { noteActive } from './idle.ts';
import { createStore } from './store.ts';

/** `ended`: somebody was signed in, and is no more, with a page still open in front of them. */
type SignedIn = 'unknown' | 'yes' | 'ended' | 'no';

const signedIn = createStore<SignedIn>('unknown');
export const useSignedIn = signedIn.use;

export const noteSignedIn = (): void => signedIn.set('yes');
/** By their own hand, just now. */
export function noteEntered(): void {
  noteActive();
  noteSignedIn();
}
export const noteLeft = (): void => signedIn.set('no');
export const noteSignedOut = (): void => signedIn.set(signedIn.get() === 'yes' ? 'ended' : signedIn.get());

/** Calls whoever keeps something of the person who signs out. */
export const onLeft = (forget: () => void): void =>
  void signedIn.subscribe(() => {
    if (signedIn.get() === 'no') forget();
  });
