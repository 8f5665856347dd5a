import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './bar-list.module.css';
import { useFormat } from './format.tsx';

type Row = { readonly key: string; readonly label: ReactNode; readonly value: number; readonly colour?: string };

/** Rows with their share of the largest as a bar behind them: the numbers say it all, the bars say it at a glance. */
export function BarList({ rows, label }: { rows: readonly Row[]; label: string }) {
  const { number } = useFormat();
  const largest = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <Stack component="ul" gap={2} className={classes['list'] ?? ''} aria-label={label}>
      {rows.map(({ key, label, value, colour = 'water' }) => (
        <Box component="li" key={key} className={classes['row'] ?? ''}>
          <Box
            className={classes['bar'] ?? ''}
            style={{ width: `${(100 * value) / largest}%`, background: `var(--mantine-color-${colour}-light)` }}
            aria-hidden
          />
          <Group justify="space-between" wrap="nowrap" gap="sm" className={classes['words'] ?? ''}>
            <Text size="sm" component="span" truncate>
              {label}
            </Text>
            <Text size="sm" component="span" fw={500}>
              {number(value)}
            </Text>
          </Group>
        </Box>
      ))}
    </Stack>
  );
}
