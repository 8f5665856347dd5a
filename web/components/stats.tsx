import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type Figure = { readonly label: string; readonly value: ReactNode };

/** A few figures side by side, each with what it is. */
export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <SimpleGrid cols={{ base: 2, sm: 3, md: 4 }} component="dl" m={0}>
    {figures.map(({ label, value }) => (
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
