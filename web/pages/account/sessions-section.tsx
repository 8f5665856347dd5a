import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OpenSession } from '../../api/account-wire.ts';
import { endSession, sessionsQuery } from '../../api/members.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { useFormat } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';

/** Sessions of the signed-in member. */
export function SessionsSection() {
  const { t } = useTranslation('account');
  const { data: sessions, error, isPending, refetch } = useQuery(sessionsQuery);
  return (
    <Section title={t('sessions.title')} text={t('sessions.text')}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !sessions && <ErrorState error={error} retry={refetch} />}
      {sessions && (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('sessions.title')}>
          {sessions.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Row({ session }: { session: OpenSession }) {
  const { t } = useTranslation('account');
  const { time } = useFormat();
  const { id, kind, client = '', created_millis, expires_millis, is_current } = session;
  const ending = useAction(() => endSession(id), { onDone: () => notifyDone(t('sessions.done')) });
  const since = time(created_millis);
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={500}>{t(`sessions.kinds.${kind}`, { client })}</Text>
          {is_current && (
            <Badge size="sm" variant="light">
              {t('sessions.current')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {since}
          {expires_millis !== undefined && ` · ${t('sessions.until', { time: time(expires_millis) })}`}
        </Text>
      </div>
      {!is_current && (
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-label={t('sessions.endOf', { since })}
          loading={ending.isPending}
          onClick={() => ending.mutate()}
        >
          {t('sessions.end')}
        </Button>
      )}
    </Group>
  );
}
