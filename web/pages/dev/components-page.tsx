import { Button, List, SimpleGrid, Stack, Table } from '@mantine/core';
import { ApiError } from '../../api/api-error.ts';
import { BarList } from '../../components/bar-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { Sparkline } from '../../components/sparkline.tsx';
import { TimeChart } from '../../components/time-chart.tsx';
import { ColourSchemeSwitch } from '../../shell/colour-scheme-switch.tsx';
import { Buttons, Chips, Fields, TabRow, Toasts } from './controls.tsx';
import { StyleTokens } from './style-tokens.tsx';

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const times = Array.from({ length: 24 }, (_, hour) => START + hour * HOUR_MS);
const wave = (scale: number): number[] => times.map((_, hour) => Math.round(scale * (1.2 + Math.sin(hour / 3.5))));
const [queries, blocked] = [wave(100), wave(30)];
const series = [
  { label: 'Queries', values: queries, colour: '#2f9dab' },
  { label: 'Blocked', values: blocked, colour: '#e03131' },
];
const unreachable = new ApiError({ kind: 'unreachable' });

/** Style tokens and components in one place; only in development, in English. */
export const ComponentsPage = () => (
  <Stack p="lg" className="page">
    <PageHeader
      title="Components"
      text="Style tokens, components and rules of the interface. Check changes in both themes."
      actions={<ColourSchemeSwitch />}
    />
    <SaveModel />
    <StyleTokens />
    <Buttons />
    <Fields />
    <Chips />
    <TabRow />
    <Toasts />
    <Section title="Table">
      <Table.ScrollContainer minWidth={360} type="native">
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Value</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              <Table.Td>Phone</Table.Td>
              <Table.Td>1,204 queries</Table.Td>
            </Table.Tr>
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <EmptyState title="No devices" text="Says what to do next." action={<Button>Add device</Button>} />
      <Stack>
        <ErrorState error={unreachable} retry={() => undefined} />
        <LoadingState />
      </Stack>
    </SimpleGrid>
    <Section title="Charts">
      <TimeChart label="Queries over time" times={times} series={series} isLastUnfinished unfinishedText="Incomplete" />
      <Sparkline values={queries} colour="accent" />
      <BarList
        label="Top domains"
        total={200}
        rows={[
          { key: 'a', label: 'example.org', value: 120 },
          { key: 'b', label: 'ads.example', value: 40, colour: 'blocked' },
        ]}
      />
    </Section>
  </Stack>
);

const SaveModel = () => (
  <Section title="When a change is saved">
    <List spacing="xs">
      <List.Item>
        Settings are a draft until Save: fields, choices and switches alike. The page of a profile has one save bar for
        all its sections (useEditor, useDraftPart); other sections have a Save button, disabled without changes.
      </List.Item>
      <List.Item>
        Actions apply at once and offer Undo: switches outside forms, pause, a role, removing a device, a profile or a
        list (UndoableSwitch, notifyWithUndo).
      </List.Item>
      <List.Item>Entries of a list are added and edited in a dialog that saves them (Dialog).</List.Item>
      <List.Item>Irreversible actions ask for the name first (ConfirmByName).</List.Item>
    </List>
  </Section>
);
