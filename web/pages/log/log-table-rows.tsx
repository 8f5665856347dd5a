import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { useCountryName } from '../../components/use-country-name.ts';
import { useFixedRows } from '../../components/use-fixed-rows.ts';
import { LogTableRow } from './log-row.tsx';
import type { LogRow, LogRows, LogState } from './log-rows.ts';
import classes from './log-table.module.css';
import { useStatusText } from './status-badge.tsx';
import { useRowTime } from './use-row-time.ts';

type Props = {
  readonly rows: LogRows;
  readonly state: LogState;
  readonly deviceName: (id: string | undefined) => string;
  readonly opened: LogRow | undefined;
  readonly onOpen: (row: LogRow) => void;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rowPx: number;
  readonly headPx: number;
};

/** Loads more rows when fewer than this many are left. */
const AHEAD = 600;

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Separate component, so that scrolling only renders the rows. */
export function LogTableRows({ rows, state, deviceName, opened, onOpen, scroller, rowPx, headPx }: Props) {
  const time = useRowTime();
  const country = useCountryName();
  const statusText = useStatusText();
  const body = useRef<HTMLTableSectionElement>(null);
  const { drawn, scrollTo } = useFixedRows({ scroller, count: state.count, rowPx, headPx });
  const last = drawn.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last > state.count - AHEAD) rows.loadMore();
  }, [rows, last, state]);
  const move = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    const step = steps[event.key];
    const from = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'];
    if (step === undefined || from === undefined) return;
    event.preventDefault();
    const to = Math.min(Math.max(0, Number(from) + step), state.count - 1);
    scrollTo(to);
    body.current?.querySelector<HTMLElement>(`[data-index="${to}"] button`)?.focus({ preventScroll: true });
  };
  return (
    <tbody
      ref={body}
      className={classes['rows']}
      style={{ transform: `translateY(${headPx + (drawn[0]?.index ?? 0) * rowPx}px)` }}
      // Arrow keys move between the buttons of the rows.
      onKeyDown={move}
    >
      {drawn.map(({ index, slot }) => {
        const row = state.at(index);
        if (!row) return null;
        const { response_country: code } = row;
        const status = row.filtering_info.filtering_status ?? 'UNKNOWN';
        return (
          <LogTableRow
            key={slot}
            row={row}
            index={index}
            device={deviceName(row.device_id)}
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
