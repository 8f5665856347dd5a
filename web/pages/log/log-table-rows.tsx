import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { useCountryName } from '../../components/use-country-name.ts';
import { LogTableRow } from './log-row.tsx';
import type { LogRow, LogRows, LogState } from './log-rows.ts';
import classes from './log-table.module.css';
import { useStatusText } from './status-badge.tsx';
import { useRowTime } from './use-row-time.ts';

type Props = {
  readonly rows: LogRows;
  readonly state: LogState;
  readonly clientName: (row: LogRow) => string;
  readonly opened: LogRow | undefined;
  readonly onOpen: (row: LogRow) => void;
  readonly scrollElement: HTMLElement | null;
  readonly rowPx: number;
  readonly headPx: number;
};

/** Loads more rows when fewer than this many are left. */
const AHEAD = 600;
/** Rows rendered above and below the visible ones. */
const OVERSCAN = 12;

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Separate component, so that scrolling only renders the rows. */
export function LogTableRows({ rows, state, clientName, opened, onOpen, scrollElement, rowPx, headPx }: Props) {
  const time = useRowTime();
  const country = useCountryName();
  const statusText = useStatusText();
  const body = useRef<HTMLTableSectionElement>(null);
  const virtualizer = useVirtualizer({
    count: state.count,
    getScrollElement: () => scrollElement,
    estimateSize: () => rowPx,
    // The sticky header is above the first row and covers the top of the scroll area.
    paddingStart: headPx,
    scrollPaddingStart: headPx,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  // Rows that scroll out of view hand their elements to those that scroll in: updating is faster than mounting.
  const slots = Math.ceil((virtualizer.scrollRect?.height ?? 0) / rowPx) + 2 * OVERSCAN + 2;
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes are cached until the height of rows changes
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowPx]);
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last > state.count - AHEAD) rows.loadMore();
  }, [rows, last, state]);

  // The row may render only after the scroll event, so its focus is requested here and set as soon as it exists.
  const focusIndex = useRef<number>(undefined);
  const focusRow = (): void => {
    if (!body.current?.contains(document.activeElement)) focusIndex.current = undefined;
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${focusIndex.current}"] button`);
    if (!row) return;
    row.focus({ preventScroll: true });
    focusIndex.current = undefined;
  };
  useLayoutEffect(focusRow);
  const move = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    const step = steps[event.key];
    const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'];
    if (step === undefined || focused === undefined) return;
    event.preventDefault();
    const from = focusIndex.current ?? Number(focused);
    focusIndex.current = Math.min(Math.max(0, from + step), state.count - 1);
    virtualizer.scrollToIndex(focusIndex.current);
    focusRow();
  };
  return (
    <tbody
      ref={body}
      className={classes['rows']}
      style={{ transform: `translateY(${items[0]?.start ?? headPx}px)` }}
      // Arrow keys move between the buttons of the rows.
      onKeyDown={move}
    >
      {items.map(({ index }) => {
        const row = state.at(index);
        if (!row) return null;
        const { response_country: code } = row;
        const status = row.filtering_info.filtering_status ?? 'UNKNOWN';
        return (
          <LogTableRow
            key={index % slots}
            row={row}
            index={index}
            device={clientName(row)}
            country={code === undefined ? '' : country(code)}
            time={time(row.time_millis)}
            status={status}
            statusText={statusText(status)}
            isOpen={opened?.key === row.key}
            onOpen={onOpen}
          />
        );
      })}
    </tbody>
  );
}
