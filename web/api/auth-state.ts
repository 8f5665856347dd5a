import { recordActivity } from './idle.ts';
import { createStore } from './store.ts';

/** `expired`: the session ended while a page is open; the page stays and asks for the password again. */
type AuthState = 'unknown' | 'signed in' | 'expired' | 'signed out';

const authState = createStore<AuthState>('unknown');
export const useAuthState = authState.use;

export const setSignedIn = (): void => authState.set('signed in');
/** After a sign-in by hand: also counts as activity. */
export function recordSignIn(): void {
  recordActivity();
  setSignedIn();
}
export const setSignedOut = (): void => authState.set('signed out');
export const setSessionExpired = (): void =>
  authState.set(authState.get() === 'signed in' ? 'expired' : authState.get());

/** Runs `clear` when the user signs out, to delete data stored for that user. */
export const onSignOut = (clear: () => void): void =>
  void authState.subscribe(() => {
    if (authState.get() === 'signed out') clear();
  });
