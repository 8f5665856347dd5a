import { Badge, Button, Group, Switch, Tabs, TextInput } from '@mantine/core';
import { useState } from 'react';
import { notifyDone, notifyError, notifyWithUndo } from '../../components/notify.tsx';
import { ProtectionBadge } from '../../components/protection-state.tsx';
import { Section } from '../../components/section.tsx';
import { TabList } from '../../components/tab-list.tsx';
import { StatusBadge, statuses } from '../log/status-badge.tsx';

const states = ['protected', 'partly', 'paused', 'off', 'unknown'] as const;
const doNothing = (): void => undefined;

export const Buttons = () => (
  <Section title="Buttons" text="One primary button per view. Red only for actions that cannot be undone.">
    <Group>
      <Button>Primary</Button>
      <Button variant="default">Secondary</Button>
      <Button variant="light">Light</Button>
      <Button variant="subtle">Subtle</Button>
      <Button color="red">Irreversible</Button>
      <Button loading>Loading</Button>
      <Button disabled>Disabled</Button>
      <Button size="compact-sm" variant="subtle">
        In a row
      </Button>
    </Group>
  </Section>
);

export function Fields() {
  const [isOn, setOn] = useState(true);
  return (
    <Section title="Fields" text="Errors are beside their field; a hint is above the input.">
      <Switch
        label="Switch"
        description="Hint"
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      <Switch label="Disabled, on" description="The reason and what to do" checked disabled />
      <TextInput label="Text" description="Hint" placeholder="Example" maw={360} />
      <TextInput label="With an error" error="Enter a valid e-mail address." defaultValue="ann@" maw={360} />
    </Section>
  );
}

export const Chips = () => (
  <Section title="Chips and states">
    <Group>
      {states.map((state) => (
        <ProtectionBadge key={state} protection={{ state, reasons: [] }} target={{}} />
      ))}
    </Group>
    <Group>
      {statuses.map((status) => (
        <StatusBadge key={status} status={status} />
      ))}
    </Group>
    <Group>
      <Badge variant="light">Light badge</Badge>
      <Badge variant="default">Default badge</Badge>
    </Group>
  </Section>
);

const tabs = [
  { name: 'first', text: 'First' },
  { name: 'second', text: 'Second' },
] as const;

export function TabRow() {
  const [tab, setTab] = useState<(typeof tabs)[number]['name']>('first');
  return (
    <Section title="Tabs" text="In one line; where they do not fit, a select.">
      <Tabs value={tab} keepMounted={false}>
        <TabList label="Tabs" tabs={tabs} value={tab} onChange={setTab} from="sm" />
        {tabs.map(({ name, text }) => (
          <Tabs.Panel key={name} value={name} pt="sm">
            {text}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}

export const Toasts = () => (
  <Section title="Toasts" text="An action that can be undone offers it for eight seconds.">
    <Group>
      <Button variant="default" onClick={() => notifyDone('Saved.')}>
        Done
      </Button>
      <Button variant="default" onClick={() => notifyWithUndo('Protection of Phone is off.', doNothing)}>
        With undo
      </Button>
      <Button variant="default" onClick={() => notifyError('Weir does not answer.')}>
        Error
      </Button>
    </Group>
  </Section>
);
