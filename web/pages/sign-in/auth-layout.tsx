import { Box, Group, Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from '../../components/use-title.ts';
import { ColourSchemeSwitch } from '../../shell/colour-scheme-switch.tsx';
import { LanguageSwitch } from '../../shell/language-switch.tsx';
import { Logo } from '../../shell/logo.tsx';

/** Layout of pages without a session: one centred card. */
export function AuthLayout({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title);
  return (
    <Box component="main" maw={400} mx="auto" px="md" pt={{ base: 32, sm: 96 }} pb="xl">
      <Stack gap="lg">
        <Logo size={32} />
        <Paper withBorder p={{ base: 'md', sm: 'xl' }}>
          <Stack>
            <Title order={1}>{title}</Title>
            {children}
          </Stack>
        </Paper>
        <Group justify="space-between">
          <ColourSchemeSwitch />
          <LanguageSwitch />
        </Group>
      </Stack>
    </Box>
  );
}
