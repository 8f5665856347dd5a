import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { memo, type RefObject, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../components/error-state.tsx';
import { useFormat } from '../../components/format.tsx';
import type { LogRow, LogRows, LogState } from './log-rows.ts';
import classes from './log-table.module.css';
import { LogTableRows } from './log-table-rows.tsx';

type Props = {
  readonly rows: LogRows;
  readonly state: LogState;
  readonly clientName: (row: LogRow) => string;
  readonly opened: LogRow | undefined;
  readonly onOpen: (row: LogRow) => void;
  /** The page reads the scroll position from it. */
  readonly scroller: RefObject<HTMLDivElement | null>;
};

// Must match log-table.module.css.
const wide = { rowPx: 40, headPx: 36 };
const narrow = { rowPx: 64, headPx: 0 };

const columns = ['time', 'name', 'type', 'status', 'device', 'country'] as const;

/** Virtual table of the query log with rows of fixed height. */
export function LogTable({ rows, state, clientName, opened, onOpen, scroller }: Props) {
  const { t } = useTranslation('log');
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false });
  const [scrollElement, setScrollElement] = useState<HTMLDivElement | null>(null);
  const attach = useCallback(
    (element: HTMLDivElement | null): void => {
      scroller.current = element;
      setScrollElement(element);
    },
    [scroller],
  );
  const { rowPx, headPx } = isNarrow ? narrow : wide;
  return (
    <div
      ref={attach}
      className={classes['scroller']}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll containers must be focusable for keyboard users
      tabIndex={0}
    >
      <table
        aria-label={t('title')}
        aria-rowcount={state.count + 1}
        className={classes['table']}
        style={{ height: headPx + state.count * rowPx }}
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
        <LogTableRows {...{ rows, state, clientName, opened, onOpen, scrollElement, rowPx, headPx }} />
      </table>
      <TableFooter rows={rows} state={state} />
    </div>
  );
}

/** Shown below the last row. */
const TableFooter = memo(function TableFooter({ rows, state }: { rows: LogRows; state: LogState }) {
  const { t } = useTranslation(['log', 'common']);
  const { number } = useFormat();
  const texts = {
    loading: t('common:loading'),
    more: t('common:loading'),
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
          {texts[state.older]}
        </Text>
      )}
    </div>
  );
});
