import { Text } from '@mantine/core';
import { memo, type RefObject, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../components/error-state.tsx';
import { useFormat } from '../../components/format.tsx';
import { useLogLayout } from './log-layout.ts';
import type { LogRow, LogRows, LogState } from './log-rows.ts';
import classes from './log-table.module.css';
import { LogTableRows, type TableActions } from './log-table-rows.tsx';

type Props = TableActions & {
  readonly rows: LogRows;
  readonly state: LogState;
  readonly opened: LogRow | undefined;
  /** The page reads the scroll position from it. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onScroll: () => void;
};

const columns = ['time', 'device', 'name', 'type', 'status', 'latency', 'action'] as const;

/** Virtual table of the query log with rows of fixed height. */
export function LogTable({ rows, state, scroller, onScroll, ...actions }: Props) {
  const { t } = useTranslation('log');
  const [scrollElement, setScrollElement] = useState<HTMLDivElement | null>(null);
  const attach = useCallback(
    (element: HTMLDivElement | null): void => {
      scroller.current = element;
      setScrollElement(element);
    },
    [scroller],
  );
  const layout = useLogLayout(scrollElement);
  return (
    <div ref={attach} className={classes['scroller']} data-layout={layout.name} onScroll={onScroll}>
      <table
        aria-label={t('title')}
        aria-rowcount={state.count + 1}
        className={classes['table']}
        style={{ height: layout.headPx + state.count * layout.rowPx }}
      >
        <thead className={classes['heads']}>
          <tr aria-rowindex={1} className={classes['head']}>
            {columns.map((column) => (
              <th key={column} className={classes[column]}>
                <span>{t(`columns.${column}`)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <LogTableRows {...{ rows, state, scrollElement, layout, ...actions }} />
      </table>
      {/* The first rows replace the text, which would move below them otherwise. */}
      <TableFooter key={state.count === 0 ? 'first' : 'further'} rows={rows} state={state} />
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
