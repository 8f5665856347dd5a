import { useLayoutEffect, useState } from 'react';

/** Arrangement of a row; the heights must match log-table.module.css. */
export type LogLayout = {
  readonly name: 'columns' | 'two-lines' | 'three-lines';
  readonly rowPx: number;
  readonly headPx: number;
};

// By the width of the table and not of the window: the navigation takes a part of it.
const layouts: readonly (LogLayout & { readonly minPx: number })[] = [
  { name: 'columns', minPx: 700, rowPx: 40, headPx: 36 },
  { name: 'two-lines', minPx: 460, rowPx: 64, headPx: 0 },
  { name: 'three-lines', minPx: 0, rowPx: 84, headPx: 0 },
];

const layoutFor = (widthPx: number): LogLayout => layouts.find(({ minPx }) => widthPx >= minPx) ?? layouts.at(-1)!;

/** Layout for the current width of an element. */
export function useLogLayout(element: HTMLElement | null): LogLayout {
  const [layout, setLayout] = useState(layoutFor(0));
  useLayoutEffect(() => {
    if (!element) return;
    const update = (): void => setLayout(layoutFor(element.clientWidth));
    update();
    const observer = new ResizeObserver(update);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return layout;
}
