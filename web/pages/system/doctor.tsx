import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type DoctorFinding, runDoctor } from '../../api/system.ts';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';

const colors = { ok: 'teal', warning: 'orange', problem: 'red' } as const;

/** The checks of `weir doctor`, run on request. */
export function Doctor() {
  const { t } = useTranslation('system');
  const running = useAction(runDoctor);
  return (
    <Section
      title={t('doctor.title')}
      text={t('doctor.text')}
      actions={
        <Button variant="default" loading={running.isPending} onClick={() => running.mutate()}>
          {t('doctor.run')}
        </Button>
      }
    >
      {running.data && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('doctor.title')}>
          {running.data.map((finding) => (
            <Finding key={`${finding.check} ${finding.text}`} finding={finding} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Finding({ finding: { check, state, text, advice } }: { finding: DoctorFinding }) {
  const { t } = useTranslation('system');
  return (
    <Group component="li" gap="sm" align="flex-start" wrap="nowrap">
      <Badge color={colors[state]} variant="dot" tt="none" style={{ flexShrink: 0 }}>
        {t(`doctor.${state}`)}
      </Badge>
      {/* Texts of the service. */}
      <div lang="en" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm">
          {check}: <bdi>{text}</bdi>
        </Text>
        {advice !== undefined && (
          <Text size="sm" c="dimmed">
            {advice}
          </Text>
        )}
      </div>
    </Group>
  );
}
