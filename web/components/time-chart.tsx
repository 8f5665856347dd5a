import { Box, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from './format.tsx';
import { TimeChartCanvas } from './time-chart-canvas.tsx';

export type Series = { readonly label: string; readonly values: readonly number[]; readonly colour: string };

export type TimeChartProps = {
  readonly label: string;
  /** Milliseconds; one entry per value of each series. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly height?: number;
  /** The last bucket is drawn dashed, because more will be counted in it. */
  readonly isLastUnfinished?: boolean;
  readonly unfinishedText?: string;
  /** Called with the range, in milliseconds, that is selected with the pointer. */
  readonly onSelect?: (from: number, to: number) => void;
};

/** Chart with a table as an accessible alternative. */
export function TimeChart({ height = 220, ...chart }: TimeChartProps) {
  const { t } = useTranslation('common');
  const [isTable, setTable] = useState(false);
  return (
    <Box component="figure" m={0} aria-label={chart.label}>
      {isTable ? (
        <ChartTable {...chart} />
      ) : (
        <Box mih={height}>
          <TimeChartCanvas {...chart} height={height} />
        </Box>
      )}
      <Group justify="space-between" gap="xs" mt={4}>
        <Legend {...chart} />
        <UnstyledButton fz="xs" c="dimmed" td="underline" onClick={() => setTable(!isTable)}>
          {isTable ? t('asChart') : t('asTable')}
        </UnstyledButton>
      </Group>
    </Box>
  );
}

const Legend = ({ series, isLastUnfinished, unfinishedText }: TimeChartProps) => (
  <Group gap="md">
    {series.map(({ label, colour }) => (
      <Group key={label} gap={6}>
        <svg width={10} height={10} aria-hidden>
          <rect width={10} height={10} rx={2} fill={colour} />
        </svg>
        <Text size="xs">{label}</Text>
      </Group>
    ))}
    {isLastUnfinished === true && (
      <Group gap={6}>
        <svg width={18} height={4} aria-hidden>
          <line x1={0} y1={2} x2={18} y2={2} stroke="currentColor" strokeWidth={2} strokeDasharray="4 3" />
        </svg>
        <Text size="xs" c="dimmed">
          {unfinishedText}
        </Text>
      </Group>
    )}
  </Group>
);

function ChartTable({ times, series, isLastUnfinished, unfinishedText }: TimeChartProps) {
  const { t } = useTranslation('common');
  const { time, number } = useFormat();
  return (
    <Table.ScrollContainer minWidth={320} mah={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('time')}</Table.Th>
            {series.map(({ label }) => (
              <Table.Th key={label} ta="end">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {times.map((at, i) => (
            <Table.Tr key={at}>
              <Table.Td>
                {time(at, { dateStyle: 'short', timeStyle: 'short' })}
                {isLastUnfinished && i === times.length - 1 && ` (${unfinishedText})`}
              </Table.Td>
              {series.map(({ label, values }) => (
                <Table.Td key={label} ta="end">
                  {number(values[i] ?? 0)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
