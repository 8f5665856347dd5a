import { useEffect, useState } from 'react';

/** Token after the "#" of a link. Browsers do not send fragments to servers; it is removed from the address bar at once. */
export function useFragmentToken(): string {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    // A link that is opened while the page is shown changes only the fragment.
    const read = (): void => {
      if (location.hash.length > 1) setToken(location.hash.slice(1));
      history.replaceState(history.state, '', location.pathname);
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return token;
}
