import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type Stat = { readonly label: string; readonly value: ReactNode };

/** Labelled values side by side. */
export const Stats = ({ stats }: { stats: readonly Stat[] }) => (
  <SimpleGrid cols={{ base: 2, sm: 3, md: 4 }} component="dl" m={0}>
    {stats.map(({ label, value }) => (
      <div key={label}>
        <Text component="dt" size="sm" c="dimmed">
          {label}
        </Text>
        <Text component="dd" m={0} fw={600} style={{ overflowWrap: 'anywhere' }}>
          {value}
        </Text>
      </div>
    ))}
  </SimpleGrid>
);
