import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { canBeRule, type RuleAction } from '../../api/domain-rule-text.ts';
import type { LogLayout } from './log-layout.ts';
import { LogTableRow, type RowClient } from './log-row.tsx';
import type { LogRow, LogRows, LogState } from './log-rows.ts';
import classes from './log-table.module.css';
import { isBlocked, useStatusText } from './status-badge.tsx';
import { useLatency } from './use-latency.ts';
import { useReason } from './use-reason.ts';
import { useRowTime } from './use-row-time.ts';

export type TableActions = {
  readonly clientOf: (row: LogRow) => RowClient;
  readonly onOpen: (row: LogRow) => void;
  /** Offers to allow or block the domain of a row, next to the element. Undefined if the user may not. */
  readonly onDecide: ((row: LogRow, action: RuleAction, element: HTMLElement) => void) | undefined;
};

type Props = TableActions & {
  readonly rows: LogRows;
  readonly state: LogState;
  readonly opened: LogRow | undefined;
  readonly scrollElement: HTMLElement | null;
  readonly layout: LogLayout;
};

/** Loads more rows when fewer than this many are left, but not the second page before the first is scrolled. */
const aheadOf = (count: number): number => Math.min(600, count / 2);
/** Rows rendered above and below the visible ones. */
const OVERSCAN = 12;
const PAGE_STEP = 10;

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_STEP,
  PageUp: -PAGE_STEP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
const decisions: Readonly<Record<string, RuleAction>> = { a: 'allow', b: 'block' };

/** Separate component, so that scrolling only renders the rows. */
export function LogTableRows({ rows, state, clientOf, opened, onOpen, onDecide, scrollElement, layout }: Props) {
  const { t } = useTranslation('log');
  const { rowPx, headPx } = layout;
  const time = useRowTime();
  const reasonOf = useReason();
  const latencyText = useLatency();
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
    if (last > state.count - aheadOf(state.count)) rows.loadMore();
  }, [rows, last, state]);

  const [focused, setFocused] = useState(0);
  // If the focused row is scrolled away, Tab reaches the first rendered row.
  const tabStop = items.some(({ index }) => index === focused) ? focused : items[0]?.index;
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
  const indexAt = (target: EventTarget): number | undefined => {
    const index = (target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index'];
    return index === undefined ? undefined : Number(index);
  };
  const decide = (row: LogRow, action: RuleAction, element: HTMLElement): void => {
    if (canBeRule(row.domain)) onDecide?.(row, action, element);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    const index = indexAt(event.target);
    const row = index === undefined ? undefined : state.at(index);
    if (index === undefined || !row || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    const action = decisions[event.key];
    if (step === undefined && action === undefined) return;
    event.preventDefault();
    if (action !== undefined) decide(row, action, event.target as HTMLElement);
    if (step === undefined) return;
    focusIndex.current = Math.min(Math.max(0, (focusIndex.current ?? index) + step), state.count - 1);
    setFocused(focusIndex.current);
    virtualizer.scrollToIndex(focusIndex.current);
    focusRow();
  };
  const onClick = (event: MouseEvent<HTMLTableSectionElement>): void => {
    const button = (event.target as HTMLElement).closest<HTMLElement>('[data-do]');
    const index = indexAt(event.target);
    const row = index === undefined ? undefined : state.at(index);
    if (!button || index === undefined || !row) return;
    setFocused(index);
    if (button.dataset['do'] === 'open') onOpen(row);
    else decide(row, isBlocked(row.filtering_info.filtering_status ?? 'UNKNOWN') ? 'allow' : 'block', button);
  };
  return (
    <tbody
      ref={body}
      className={classes['rows']}
      style={{ transform: `translateY(${items[0]?.start ?? headPx}px)` }}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {items.map(({ index }) => {
        const row = state.at(index);
        if (!row) return null;
        const status = row.filtering_info.filtering_status ?? 'UNKNOWN';
        const canDecide = onDecide !== undefined && canBeRule(row.domain);
        return (
          <LogTableRow
            key={index % slots}
            row={row}
            index={index}
            client={clientOf(row)}
            time={time(row.time_millis)}
            status={status}
            statusText={statusText(status)}
            reason={reasonOf(row)}
            latency={latencyText(row.latency_millis)}
            actionText={canDecide ? t(isBlocked(status) ? 'decide.allow.button' : 'decide.block.button') : undefined}
            isOpen={opened?.key === row.key}
            isTabStop={index === tabStop}
          />
        );
      })}
    </tbody>
  );
}
