import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../../../api/devices.ts';
import { explain } from '../../../api/servers.ts';
import type { ExplainQuestion } from '../../../api/wire.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { fieldErrors } from '../../../components/field-errors.ts';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { ClientFields, clientOf, noClient } from './client-fields.tsx';
import { ExplanationView } from './explanation-view.tsx';

const types = ['A', 'AAAA', 'HTTPS', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'SVCB', 'TXT', 'ANY'];

/** In the select of devices: a client that is described by its address, MAC address or host name. */
const DESCRIBED = 'client';
const fields = ['name', 'type', 'device_id', 'client.address', 'client.mac', 'client.host_name'];

/** Shows the decision for a domain without sending or logging a query. */
export function RuleTester() {
  const { t } = useTranslation('servers');
  const { server, draft } = useEditor();
  const { data: devices = [] } = useQuery(devicesQuery);
  const [name, setName] = useState('');
  const [type, setType] = useState('A');
  const [device, setDevice] = useState('');
  const [client, setClient] = useState(noClient);
  const testing = useMutation({
    mutationFn: (question: ExplainQuestion) => explain(server.id, question),
  });
  const errors = fieldErrors(testing.error);
  const isUnsaved = Object.keys(draft.changes).length > 0;
  return (
    <Section title={t('test.title')} text={t('test.text')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const sender =
            device === DESCRIBED ? { client: clientOf(client) } : device === '' ? {} : { device_id: device };
          testing.mutate({ name: name.trim(), type, ...sender });
        }}
      >
        <Stack gap="sm">
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t('test.name')}
              placeholder="www.example.org"
              required
              flex={2}
              miw={200}
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={name}
              error={errors['name']}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <NativeSelect
              label={t('test.type')}
              w={104}
              data={types}
              value={type}
              error={errors['type']}
              onChange={(event) => setType(event.currentTarget.value)}
            />
            <NativeSelect
              label={t('test.device')}
              flex={1}
              miw={200}
              value={device}
              error={errors['device_id']}
              data={[
                { value: '', label: t('test.noDevice') },
                { value: DESCRIBED, label: t('test.client.choose') },
                ...devices
                  .filter(({ dns_server_id }) => dns_server_id === server.id)
                  .map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(event) => setDevice(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={testing.isPending}>
              {t('test.submit')}
            </Button>
          </Group>
          {device === DESCRIBED && <ClientFields value={client} onChange={setClient} errors={errors} />}
          {isUnsaved && (
            <Text size="sm" c="dimmed">
              {t('test.unsaved')}
            </Text>
          )}
          {testing.isError && <ErrorAlert error={testing.error} except={fields} />}
        </Stack>
      </form>
      <div aria-live="polite">
        {testing.data && <ExplanationView domain={testing.variables!.name} explanation={testing.data} />}
      </div>
    </Section>
  );
}
