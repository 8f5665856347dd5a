import { useEffect, useState } from 'react';

/** What stands behind the "#" of a link: browsers send it to nobody, and it leaves the address at once. */
export function useTokenOfLink(): string {
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  return token;
}
