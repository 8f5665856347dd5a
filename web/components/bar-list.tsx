import type { ReactNode } from 'react';
import classes from './bar-list.module.css';
import { useFormat } from './format.tsx';

type Row = {
  readonly key: string;
  readonly label: ReactNode;
  readonly value: number;
  readonly colour?: 'accent' | 'blocked';
};

/** `total`: what all values are shares of. */
type Props = { readonly rows: readonly Row[]; readonly label: string; readonly total: number };

/** Rows with a bar that shows the value relative to the largest one. */
export function BarList({ rows, label, total }: Props) {
  const { number, share } = useFormat();
  const largest = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ul className={classes['list']} aria-label={label}>
      {rows.map(({ key, label, value, colour = 'accent' }) => (
        <li key={key} className={classes['row']}>
          <div
            className={classes['bar']}
            style={{ width: `${(100 * value) / largest}%`, background: `var(--graphic-${colour})` }}
            aria-hidden
          />
          <span className={classes['label']}>{label}</span>
          <span className={classes['value']}>{number(value)}</span>
          <span className={classes['share']}>{total > 0 && share(value / total)}</span>
        </li>
      ))}
    </ul>
  );
}
