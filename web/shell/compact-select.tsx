import type { ReactNode } from 'react';
import classes from './compact-select.module.css';

type Props<Value extends string> = {
  readonly label: string;
  readonly icon: ReactNode;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  /** Where there is little room the icon alone shows the value. */
  readonly isIconEnough?: boolean;
};

/** Native select: it works before any other component is loaded. */
export const CompactSelect = <Value extends string>(props: Props<Value>) => {
  const { label, icon, value, options, onChange, isIconEnough } = props;
  return (
    <div className={classes['wrapper']} data-icon={isIconEnough || undefined}>
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
};
