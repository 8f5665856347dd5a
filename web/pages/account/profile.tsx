import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { memberQuery } from '../../api/session.ts';
import { ColourSchemeSwitch } from '../../frame/colour-scheme-switch.tsx';
import { LanguageSwitch } from '../../frame/language-switch.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { useFormat } from '../../parts/format.tsx';
import { LoadingState } from '../../parts/loading-state.tsx';
import { Section } from '../../parts/section.tsx';

export function Profile() {
  const { t } = useTranslation(['account', 'frame']);
  const { time } = useFormat();
  const { data: member, error, isPending, refetch } = useQuery(memberQuery);
  if (isPending || !member)
    return (
      <Section title={t('profile.title')}>
        {isPending ? <LoadingState rows={2} /> : <ErrorState error={error} retry={refetch} />}
      </Section>
    );
  return (
    <Section title={t('profile.title')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <Fact label={t('profile.email')}>
          <bdi>{member.email}</bdi>
        </Fact>
        <Fact label={t('profile.role')}>{t(`frame:roles.${member.role}`)}</Fact>
        <Fact label={t('profile.since')}>{time(member.created_millis, { dateStyle: 'long' })}</Fact>
      </SimpleGrid>
      <Group gap="lg">
        <Stack gap={2}>
          <Text size="sm" c="dimmed">
            {t('profile.language')}
          </Text>
          <LanguageSwitch />
        </Stack>
        <Stack gap={2}>
          <Text size="sm" c="dimmed">
            {t('profile.colours')}
          </Text>
          <ColourSchemeSwitch />
        </Stack>
      </Group>
    </Section>
  );
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <Stack gap={0} miw={0}>
    <Text size="sm" c="dimmed">
      {label}
    </Text>
    <Text style={{ overflowWrap: 'anywhere' }}>{children}</Text>
  </Stack>
);
