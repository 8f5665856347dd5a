import { useState } from 'react';

/** Whether it is so, or has been since this is drawn: a dialog whose script comes when it is opened first, and that closes by itself. */
export function useEver(isSo: boolean): boolean {
  const [wasSo, setWasSo] = useState(isSo);
  if (isSo && !wasSo) setWasSo(true);
  return wasSo || isSo;
}
