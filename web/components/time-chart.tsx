import { Box, Table, UnstyledButton } from '@mantine/core';
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
      <UnstyledButton fz="xs" c="dimmed" td="underline" onClick={() => setTable(!isTable)}>
        {isTable ? t('asChart') : t('asTable')}
      </UnstyledButton>
    </Box>
  );
}

function ChartTable({ times, series }: TimeChartProps) {
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
              <Table.Td>{time(at, { dateStyle: 'short', timeStyle: 'short' })}</Table.Td>
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
