import type { ReactNode } from 'react';
import classes from './compact-select.module.css';

type Props<Value extends string> = {
  readonly label: string;
  readonly icon: ReactNode;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
};

/** The browser's own list under a line of the frame: it works before anything else of the page does. */
export const QuietSelect = <Value extends string>({ label, icon, value, options, onChange }: Props<Value>) => (
  <div className={classes['around']}>
    {icon}
    <select
      className={classes['select']}
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  </div>
);
