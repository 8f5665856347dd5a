import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountryName } from '../../parts/country-name.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { useFormat } from '../../parts/format.tsx';
import { LogTableRow } from './log-row.tsx';
import type { LogRow, LogRows, LogState } from './log-rows.ts';
import classes from './log-table.module.css';
import { useRowTime } from './use-row-time.ts';

type Props = {
  readonly rows: LogRows;
  readonly state: LogState;
  readonly deviceName: (id: string | undefined) => string;
  readonly opened: LogRow | undefined;
  readonly onOpen: (row: LogRow) => void;
  /** Where the list is scrolled: the page looks whether it is at the top. */
  readonly scroller: RefObject<HTMLDivElement | null>;
};

const ROW_PX = 40;
const PHONE_ROW_PX = 64;
const HEAD_PX = 36;
const OVERSCAN = 12;
/** So many rows before the end of what is loaded, more are asked for. */
const AHEAD = 600;

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The log, however long it is: only the rows on the screen are drawn, each as high as the others. */
export function LogTable({ rows, state, deviceName, opened, onOpen, scroller }: Props) {
  const { t } = useTranslation('log');
  const time = useRowTime();
  const country = useCountryName();
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const headPx = isPhone ? 0 : HEAD_PX;
  const table = useRef<HTMLTableElement>(null);
  const list = useVirtualizer({
    count: state.count,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? PHONE_ROW_PX : ROW_PX),
    overscan: OVERSCAN,
    // The headings stand above the rows, and stay there.
    paddingStart: headPx,
    scrollPaddingStart: headPx,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew
  useEffect(() => list.measure(), [isPhone]);
  const shown = list.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last > state.count - AHEAD) rows.loadMore();
  }, [rows, last, state]);
  const move = useCallback(
    (event: KeyboardEvent<HTMLDivElement>): void => {
      const step = steps[event.key];
      const from = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'];
      if (step === undefined || from === undefined) return;
      event.preventDefault();
      const to = Math.max(0, Number(from) + step);
      const focus = (): boolean => {
        const button = table.current?.querySelector<HTMLElement>(`[data-index="${to}"] button`);
        button?.focus({ preventScroll: true });
        return button !== null && button !== undefined;
      };
      list.scrollToIndex(to);
      // Mostly it is drawn already; if not, it is with the next frame.
      if (!focus()) requestAnimationFrame(focus);
    },
    [list],
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows go from row to row, whose buttons they are pressed on
    <div
      ref={scroller}
      className={classes['scroller']}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
      tabIndex={0}
      onKeyDown={move}
    >
      <table
        ref={table}
        aria-label={t('title')}
        aria-rowcount={state.count + 1}
        className={classes['table']}
        style={{ height: list.getTotalSize() }}
      >
        <thead className={classes['heads']}>
          <tr aria-rowindex={1} className={classes['head']}>
            {columns.map((column) => (
              <th key={column} className={classes[column]}>
                {t(`columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes['rows']} style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
          {shown.map(({ index }) => {
            const row = state.at(index);
            if (!row) return null;
            const { response_country: code } = row;
            return (
              <LogTableRow
                key={row.key}
                row={row}
                index={index}
                device={deviceName(row.device_id)}
                country={code === undefined ? '' : country(code)}
                time={time(row.time_millis)}
                isOpen={opened?.key === row.key}
                onOpen={onOpen}
              />
            );
          })}
        </tbody>
      </table>
      <TheEnd rows={rows} state={state} />
    </div>
  );
}

const columns = ['time', 'name', 'type', 'status', 'device', 'country'] as const;

/** Below the last row: what is there to come. */
function TheEnd({ rows, state }: { rows: LogRows; state: LogState }) {
  const { t } = useTranslation(['log', 'parts']);
  const { number } = useFormat();
  const words = {
    loading: t('parts:loading'),
    more: t('parts:loading'),
    none: t('allShown', { count: state.count, shown: number(state.count) }),
    enough: t('enough', { shown: number(state.count) }),
    failed: '',
  };
  return (
    <div className={classes['end']}>
      {state.older === 'failed' ? (
        <ErrorState error={state.error} retry={rows.retry} />
      ) : (
        <Text size="sm" c="dimmed">
          {words[state.older]}
        </Text>
      )}
    </div>
  );
}
