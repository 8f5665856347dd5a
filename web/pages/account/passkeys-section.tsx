import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Passkey } from '../../../src/client/operations.ts';
import { passkeyObstacle, passkeysQuery, removePasskey } from '../../api/passkeys.ts';
import { ConfirmByName } from '../../components/confirm-by-name.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { TimeAgo, useFormat } from '../../components/format.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { RenamePasskey } from './rename-passkey.tsx';

type Action = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey };

export function PasskeysSection() {
  const { t } = useTranslation('account');
  const { data: passkeys, error, isPending, refetch } = useQuery(passkeysQuery);
  const [action, setAction] = useState<Action>();
  const close = (): void => setAction(undefined);
  const obstacle = passkeyObstacle();
  const removed = action?.kind === 'remove' ? action.passkey : undefined;
  const removing = useMutation({
    mutationFn: removePasskey,
    onSuccess: (_, { name }: Pick<Passkey, 'id' | 'name'>) => {
      close();
      notifyDone(t('passkeys.removed', { name }));
    },
  });
  const add = obstacle === undefined && (
    <Button leftSection={<IconPlus size={17} />} onClick={() => setAction({ kind: 'add' })}>
      {t('passkeys.add')}
    </Button>
  );
  return (
    <Section title={t('passkeys.title')} text={t('passkeys.text')} actions={add}>
      {obstacle && (
        <Alert color="gray" variant="light">
          {t(`passkeys.${obstacle}`)}
        </Alert>
      )}
      {isPending && <LoadingState rows={1} />}
      {!isPending && !passkeys && <ErrorState error={error} retry={refetch} />}
      {passkeys?.length === 0 && !obstacle && <Text c="dimmed">{t('passkeys.none')}</Text>}
      {passkeys && passkeys.length > 0 && (
        <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('passkeys.title')}>
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onAction={(kind) => setAction({ kind, passkey })} />
          ))}
        </Stack>
      )}
      <Dialog opened={action?.kind === 'add'} onClose={close} title={t('passkeys.add')}>
        <AddPasskey onDone={close} />
      </Dialog>
      <Dialog opened={action?.kind === 'rename'} onClose={close} title={t('passkeys.rename')}>
        {action?.kind === 'rename' && <RenamePasskey passkey={action.passkey} onDone={close} />}
      </Dialog>
      <ConfirmByName
        isOpen={removed !== undefined}
        title={t('passkeys.ask', { name: removed?.name ?? '' })}
        text={t('passkeys.removeText')}
        name={removed?.name ?? ''}
        verb={t('passkeys.remove')}
        mutation={removing}
        onConfirm={() => removed && removing.mutate(removed)}
        onClose={close}
      />
    </Section>
  );
}

type RowProps = { readonly passkey: Passkey; readonly onAction: (kind: 'rename' | 'remove') => void };

function Row({ passkey: { name, host, created_millis, last_used_millis }, onAction }: RowProps) {
  const { t } = useTranslation('account');
  const { time } = useFormat();
  return (
    <Group component="li" justify="space-between" align="flex-start">
      <Group wrap="nowrap" align="flex-start" gap="xs" miw={0} flex="1 1 14rem">
        <IconKey size={20} aria-hidden style={{ flexShrink: 0 }} />
        <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <Text fw={500}>
            <bdi>{name}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {last_used_millis === undefined ? (
              t('passkeys.never')
            ) : (
              <>
                {t('passkeys.used')} <TimeAgo millis={last_used_millis} />
              </>
            )}
          </Text>
          <Text size="sm" c="dimmed">
            {t('passkeys.created', { time: time(created_millis, { dateStyle: 'medium' }) })}
          </Text>
          {host !== location.hostname && <Text size="sm">{t('passkeys.otherHost', { host })}</Text>}
        </div>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('passkeys.renameNamed', { name })}
          onClick={() => onAction('rename')}
        >
          {t('passkeys.rename')}
        </Button>
        <Button
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-label={t('passkeys.removeNamed', { name })}
          onClick={() => onAction('remove')}
        >
          {t('passkeys.remove')}
        </Button>
      </Group>
    </Group>
  );
}
