import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from './use-title.ts';

type Props = {
  readonly title: string;
  /** The protection state, beside the title. */
  readonly state?: ReactNode;
  /** One sentence on the purpose of the page. */
  readonly text?: string;
  /** The primary action comes last. */
  readonly actions?: ReactNode;
};

export function PageHeader({ title, state, text, actions }: Props) {
  useTitle(title);
  return (
    <Group component="header" justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Stack gap={4} maw={720} miw={0} flex="1 1 18rem">
        <Group gap="sm">
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{title}</bdi>
          </Title>
          {state}
        </Group>
        {text !== undefined && <Text c="dimmed">{text}</Text>}
      </Stack>
      {actions !== undefined && (
        <Group gap="xs" miw={0}>
          {actions}
        </Group>
      )}
    </Group>
  );
}
