import { type RefObject, useCallback, useEffect, useReducer } from 'react';
import { flushSync } from 'react-dom';
import { afterScroll, drawnRows, windowAtTop } from './fixed-rows.ts';

const RESTING_MS = 100;

type Rows = {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowPx: number;
  /** Headings stand above the rows, and stay there. */
  readonly headPx: number;
};

/** The rows of a list of any length that are on the screen. All have one height, so the place of each is a multiplication. */
export function useFixedRows({ scroller, count, rowPx, headPx }: Rows) {
  const [window, look] = useReducer(afterScroll, { topPx: 0, heightPx: globalThis.innerHeight, rowPx }, windowAtTop);
  const lookNow = useCallback(() => {
    const { scrollTop: topPx = 0, clientHeight: heightPx = 0 } = scroller.current ?? {};
    look({ topPx, heightPx, rowPx });
  }, [scroller, rowPx]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // In the same frame: what is scrolled to is there when it is seen.
    let resting: ReturnType<typeof setTimeout> | undefined;
    const onScroll = (): void => {
      flushSync(lookNow);
      clearTimeout(resting);
      resting = setTimeout(lookNow, RESTING_MS);
    };
    const sizes = new ResizeObserver(lookNow);
    sizes.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', onScroll);
      clearTimeout(resting);
    };
  }, [scroller, lookNow]);
  const scrollTo = (index: number): void => {
    const element = scroller.current;
    if (!element) return;
    const top = index * rowPx;
    const bottom = headPx + top + rowPx;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    flushSync(lookNow);
  };
  return { drawn: drawnRows(window, count), scrollTo };
}
