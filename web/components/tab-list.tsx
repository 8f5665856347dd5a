import { type MantineBreakpoint, NativeSelect, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';

type Tab<Name extends string> = { readonly name: Name; readonly text: string; readonly icon?: ReactNode };

type Props<Name extends string> = {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly value: Name;
  readonly onChange: (name: Name) => void;
  /** The width from which all tabs fit into one line; below it there is a select. */
  readonly from: MantineBreakpoint;
};

/** The list of tabs inside `Tabs`, never in several lines. */
export function TabList<Name extends string>({ label, tabs, value, onChange, from }: Props<Name>) {
  return (
    <>
      <NativeSelect
        hiddenFrom={from}
        maw={420}
        aria-label={label}
        value={value}
        data={tabs.map(({ name, text }) => ({ value: name, label: text }))}
        onChange={(event) => onChange(event.currentTarget.value as Name)}
      />
      <Tabs.List visibleFrom={from} aria-label={label}>
        {tabs.map(({ name, text, icon }) => (
          <Tabs.Tab key={name} value={name} leftSection={icon}>
            {text}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </>
  );
}
