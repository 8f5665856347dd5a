import { useEffect, useState } from 'react';

/** Token after the "#" of a link. Browsers do not send fragments to servers; it is removed from the address bar at once. */
export function useFragmentToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token;
}
