import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { memberQuery } from '../../api/session.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { useFormat } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { Section } from '../../components/section.tsx';
import { ColourSchemeSwitch } from '../../shell/colour-scheme-switch.tsx';
import { LanguageSwitch } from '../../shell/language-switch.tsx';

export function Profile() {
  const { t } = useTranslation(['account', 'shell']);
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
        <Fact label={t('profile.role')}>{t(`shell:roles.${member.role}`)}</Fact>
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
