import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OpenSession } from '../../api/account-wire.ts';
import { endOtherSessions, endSession, sessionsQuery } from '../../api/members.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { TimeAgo, useFormat } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';

/** Sessions of the signed-in member. */
export function SessionsSection() {
  const { t } = useTranslation('account');
  const { data: sessions, error, isPending, refetch } = useQuery(sessionsQuery);
  const hasOthers = sessions?.some(({ is_current }) => !is_current) ?? false;
  return (
    <Section title={t('sessions.title')} text={t('sessions.text')} actions={hasOthers && <EndOthers />}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !sessions && <ErrorState error={error} retry={refetch} />}
      {sessions && (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('sessions.title')}>
          {sessions.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function EndOthers() {
  const { t } = useTranslation('account');
  const [isOpen, { open, close }] = useDisclosure();
  const ending = useAction(endOtherSessions, {
    onDone: () => {
      close();
      notifyDone(t('sessions.othersDone'));
    },
  });
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={open}>
        {t('sessions.endOthers')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        title={t('sessions.askOthers')}
        text={t('sessions.othersText')}
        verb={t('sessions.end')}
        mutation={ending}
        onConfirm={() => ending.mutate()}
        onClose={close}
      />
    </>
  );
}

/** "Firefox 130 on Windows", or as much of it as the sign-in told. */
function useSessionName({ kind, client = '', program, system }: OpenSession): string {
  const { t } = useTranslation('account');
  if (kind === 'client') return t('sessions.kinds.client', { client });
  if (program !== undefined && system !== undefined) return t('sessions.on', { program, system });
  return program ?? system ?? t(`sessions.kinds.${kind}`);
}

function Row({ session }: { session: OpenSession }) {
  const { t } = useTranslation('account');
  const { time } = useFormat();
  const { id, address, created_millis, last_used_millis, is_current, is_persistent } = session;
  const name = useSessionName(session);
  const ending = useAction(() => endSession(id), { onDone: () => notifyDone(t('sessions.done')) });
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {is_current && (
            <Badge size="sm" variant="light">
              {t('sessions.current')}
            </Badge>
          )}
          {is_persistent && (
            <Badge size="sm" variant="outline">
              {t('sessions.kept')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t('sessions.used')} <TimeAgo millis={last_used_millis} />
        </Text>
        <Text size="sm" c="dimmed">
          {t('sessions.since', { time: time(created_millis, { dateStyle: 'medium', timeStyle: 'short' }) })}
          {address !== undefined && ` ${t('sessions.from', { address })}`}
        </Text>
      </div>
      {!is_current && (
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          style={{ flexShrink: 0 }}
          aria-label={t('sessions.endOf', { name })}
          loading={ending.isPending}
          onClick={() => ending.mutate()}
        >
          {t('sessions.end')}
        </Button>
      )}
    </Group>
  );
}
