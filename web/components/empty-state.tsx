import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Illustration } from './illustration.tsx';

type Props = {
  readonly title: string;
  /** Says what to do next. */
  readonly text: string;
  readonly action?: ReactNode;
};

export const EmptyState = ({ title, text, action }: Props) => (
  <Paper withBorder p="xl">
    <Stack align="center" gap="xs" py="lg">
      <Illustration picture="empty" />
      <Title order={2}>{title}</Title>
      <Text c="dimmed" ta="center" maw={440}>
        {text}
      </Text>
      {action}
    </Stack>
  </Paper>
);
