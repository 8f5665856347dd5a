import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

type Props = {
  readonly title: string;
  readonly text?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

/** Titled card of a page. */
export function Section({ title, text, actions, children }: Props) {
  const id = useId();
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id}>
      <Stack>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={2} maw={620} flex="1 1 16rem">
            <Title order={2} id={id}>
              {title}
            </Title>
            {text !== undefined && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            )}
          </Stack>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
