import { useState } from 'react';

/**
 * True from the first time `value` is true. Mounts lazily loaded dialogs once and keeps them mounted for the closing
 * animation.
 */
export function useLatch(value: boolean): boolean {
  const [latched, setLatched] = useState(value);
  if (value && !latched) setLatched(true);
  return latched || value;
}
