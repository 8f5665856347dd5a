import { Button, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveRecord } from '../../api/local-names.ts';
import type { DnsServer, LocalRecord, LocalRecordInput } from '../../api/wire.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { notifyDone } from '../../components/notify.tsx';
import { ServerSelect } from './server-select.tsx';

type Props = {
  readonly record: LocalRecord | 'new' | undefined;
  readonly servers: readonly DnsServer[];
  readonly onClose: () => void;
};

const types = ['A', 'AAAA', 'CNAME', 'PTR', 'TXT', 'SRV'] as const satisfies readonly LocalRecord['type'][];
const examples: Readonly<Record<LocalRecord['type'], readonly [name: string, value: string]>> = {
  A: ['nas.home.arpa', '192.168.1.10'],
  AAAA: ['nas.home.arpa', 'fd00::10'],
  CNAME: ['files.home.arpa', 'nas.home.arpa'],
  PTR: ['192.168.1.10', 'nas.home.arpa'],
  TXT: ['home.arpa', 'v=1'],
  SRV: ['_sip._tcp.home.arpa', '0 5 5060 sip.home.arpa'],
};
const MAX_TTL = 604_800;

export function EditRecord({ record, servers, onClose }: Props) {
  const { t } = useTranslation('localNames');
  const title = record === 'new' ? t('records.add') : t('records.edit');
  return (
    <Dialog opened={record !== undefined} onClose={onClose} title={title}>
      {record !== undefined && (
        <Form record={record === 'new' ? undefined : record} servers={servers} onClose={onClose} />
      )}
    </Dialog>
  );
}

type FormProps = Omit<Props, 'record'> & { readonly record: LocalRecord | undefined };

function Form({ record, servers, onClose }: FormProps) {
  const { t } = useTranslation(['localNames', 'common']);
  const { id, ...stored } = record ?? { id: undefined, name: '', type: 'A' as const, value: '' };
  const [input, setInput] = useState<LocalRecordInput>(stored);
  const saving = useMutation({
    mutationFn: () => saveRecord(input, id),
    onSuccess: () => {
      notifyDone(t('saved'));
      onClose();
    },
  });
  const errors = fieldErrors(saving.error);
  const [name, value] = examples[input.type];
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        <NativeSelect
          label={t('records.type')}
          data={types}
          value={input.type}
          error={errors['type']}
          onChange={(event) => setInput({ ...input, type: event.currentTarget.value as LocalRecord['type'] })}
        />
        <TextInput
          label={t('records.name')}
          description={t(input.type === 'PTR' ? 'records.pointerHint' : 'records.nameHint')}
          placeholder={name}
          required
          data-autofocus
          autoComplete="off"
          dir="ltr"
          value={input.name}
          error={errors['name']}
          onChange={(event) => setInput({ ...input, name: event.currentTarget.value })}
        />
        <TextInput
          label={t('records.value')}
          placeholder={value}
          required
          autoComplete="off"
          dir="ltr"
          value={input.value}
          error={errors['value']}
          onChange={(event) => setInput({ ...input, value: event.currentTarget.value })}
        />
        <NumberInput
          label={t('records.ttl')}
          placeholder="60"
          min={0}
          max={MAX_TTL}
          allowDecimal={false}
          value={input.ttl ?? ''}
          error={errors['ttl']}
          onChange={(ttl) => {
            const { ttl: _, ...rest } = input;
            setInput(typeof ttl === 'number' ? { ...rest, ttl } : rest);
          }}
        />
        <ServerSelect
          servers={servers}
          server={input.dns_server_id}
          error={errors['dns_server_id']}
          onChange={(server) => {
            const { dns_server_id: _, ...rest } = input;
            setInput(server === undefined ? rest : { ...rest, dns_server_id: server });
          }}
        />
        {saving.isError && <ErrorAlert error={saving.error} except={Object.keys(errors)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
