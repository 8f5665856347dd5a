import { Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Section } from '../../components/section.tsx';

const tokens = {
  'Text and surfaces': [
    '--mantine-color-body',
    '--mantine-color-text',
    '--mantine-color-dimmed',
    '--mantine-color-error',
  ],
  'Graphics, at least 3:1': ['--graphic-accent', '--graphic-blocked', '--graphic-outline'],
  'Protection states, at least 4.5:1': ['--state-protected', '--state-partly', '--state-off', '--state-unknown'],
} as const;

const shades = Array.from({ length: 10 }, (_, shade) => `--mantine-color-water-${shade}`);
const spacings = ['xs', 'sm', 'md', 'lg', 'xl'] as const;

const Swatch = ({ token }: { token: string }) => (
  <Group gap="xs" wrap="nowrap">
    <svg width={28} height={28} aria-hidden>
      <rect width={28} height={28} rx={4} fill={`var(${token})`} stroke="var(--mantine-color-default-border)" />
    </svg>
    <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
      {token}
    </Text>
  </Group>
);

export const StyleTokens = () => (
  <Section
    title="Style tokens"
    text="web/shell/base.css and web/shell/theme.ts. contrast.test.ts checks the contrasts."
  >
    {Object.entries({ ...tokens, 'Brand, light to dark': shades }).map(([name, list]) => (
      <Stack key={name} gap="xs">
        <Title order={3}>{name}</Title>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
          {list.map((token) => (
            <Swatch key={token} token={token} />
          ))}
        </SimpleGrid>
      </Stack>
    ))}
    <Stack gap="xs">
      <Title order={3}>Type scale</Title>
      <Title order={1}>h1: name of the page</Title>
      <Title order={2}>h2: name of a section</Title>
      <Title order={3}>h3: part of a section</Title>
      <Text>Text</Text>
      <Text size="sm">Small text: hints, table cells</Text>
      <Text size="xs" c="dimmed">
        Dimmed: facts that are not needed at first sight
      </Text>
      <Text className="untrusted-text">||domains-and-rules.example^</Text>
    </Stack>
    <Stack gap="xs">
      <Title order={3}>Spacing</Title>
      {spacings.map((size) => (
        <Group key={size} gap="xs">
          <Text size="xs" ff="monospace" w={24}>
            {size}
          </Text>
          <svg width={40} height={10} aria-hidden>
            <rect height={10} style={{ width: `var(--mantine-spacing-${size})` }} fill="var(--graphic-accent)" />
          </svg>
        </Group>
      ))}
    </Stack>
  </Section>
);
