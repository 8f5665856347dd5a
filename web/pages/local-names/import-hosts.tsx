import { Alert, Button, FileButton, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { importHosts } from '../../api/local-names.ts';
import type { DnsServer, HostsImportResult } from '../../api/wire.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { serviceMessage } from '../../components/service-message.ts';
import { ServerSelect } from './server-select.tsx';

type Props = { readonly isOpen: boolean; readonly servers: readonly DnsServer[]; readonly onClose: () => void };

const MAX_ERRORS = 20;

/** Imports a hosts file as records; the text can be pasted or read from a file. */
export function ImportHosts({ isOpen, servers, onClose }: Props) {
  const { t } = useTranslation('localNames');
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('import.title')} size="lg">
      {isOpen && <Form servers={servers} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ servers, onClose }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation(['localNames', 'common']);
  const [hosts, setHosts] = useState('');
  const [server, setServer] = useState<string>();
  const importing = useMutation({ mutationFn: () => importHosts(hosts, server) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        importing.mutate();
      }}
    >
      <Stack>
        <Textarea
          label={t('import.hosts')}
          description={t('import.hint')}
          placeholder={'192.168.1.10 nas.home.arpa nas\nfd00::10 nas.home.arpa'}
          required
          autosize
          minRows={6}
          maxRows={14}
          dir="ltr"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={hosts}
          onChange={(event) => setHosts(event.currentTarget.value)}
        />
        <ServerSelect servers={servers} server={server} onChange={setServer} />
        {importing.isError && <ErrorAlert error={importing.error} />}
        {importing.data && <Result result={importing.data} />}
        <Group justify="space-between">
          <FileButton onChange={(file) => void file?.text().then(setHosts)}>
            {(props) => (
              <Button variant="default" {...props}>
                {t('import.file')}
              </Button>
            )}
          </FileButton>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              {t(importing.isSuccess ? 'common:close' : 'common:cancel')}
            </Button>
            <Button type="submit" loading={importing.isPending}>
              {t('import.submit')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function Result({ result: { added, unchanged, errors } }: { result: HostsImportResult }) {
  const { t } = useTranslation('localNames');
  return (
    <Alert color={errors.length > 0 ? 'orange' : 'water'} variant="light" role="status">
      <Text size="sm">
        {t('import.added', { count: added })} {t('import.unchanged', { count: unchanged })}
      </Text>
      {errors.length > 0 && (
        <>
          <Text size="sm" mt="xs">
            {t('import.errors', { count: errors.length })}
          </Text>
          <List size="sm">
            {errors.slice(0, MAX_ERRORS).map(({ line, message }) => (
              <List.Item key={`${line} ${message}`}>
                {t('import.line', { line })} <bdi>{serviceMessage(message)}</bdi>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
