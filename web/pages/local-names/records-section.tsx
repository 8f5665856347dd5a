import { Button, Group, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileImport, IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeRecord, saveRecord } from '../../api/local-names.ts';
import type { DnsServer, LocalRecord } from '../../api/wire.ts';
import { notifyWithUndo } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useAction } from '../../components/use-action.ts';
import { useCanEdit } from '../../components/use-can-edit.ts';
import { EditRecord } from './edit-record.tsx';
import { EntryTable } from './entry-table.tsx';
import { ImportHosts } from './import-hosts.tsx';

type Props = { readonly records: readonly LocalRecord[]; readonly servers: readonly DnsServer[] };

const MAX_SHOWN = 100;

export function RecordsSection({ records, servers }: Props) {
  const { t } = useTranslation('localNames');
  const canEdit = useCanEdit();
  const [search, setSearch] = useState('');
  const [editing, setEditing] = useState<LocalRecord | 'new'>();
  const [isImporting, importing] = useDisclosure(false);
  const restoring = useAction((record: LocalRecord) => {
    const { id: _, ...input } = record;
    return saveRecord(input);
  });
  const removing = useAction(({ id }: LocalRecord) => removeRecord(id), {
    onDone: (_, record) => notifyWithUndo(t('removed', { name: record.name }), () => restoring.mutate(record)),
  });
  const wanted = search.trim().toLowerCase();
  const found = records.filter(({ name, value }) => name.includes(wanted) || value.toLowerCase().includes(wanted));
  const actions = canEdit && (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={importing.open}>
        {t('import.open')}
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
        {t('records.add')}
      </Button>
    </Group>
  );
  return (
    <Section title={t('records.title')} text={t('records.text')} actions={actions}>
      {records.length === 0 ? (
        <Text>{t('records.none')}</Text>
      ) : (
        <>
          <TextInput
            type="search"
            label={t('records.search')}
            leftSection={<IconSearch size={16} />}
            maw={360}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <Text size="sm" c="dimmed" role="status">
            {t('records.count', { count: records.length, shown: Math.min(found.length, MAX_SHOWN) })}
          </Text>
          <EntryTable
            entries={found.slice(0, MAX_SHOWN)}
            servers={servers}
            titles={{ name: t('records.name'), content: t('records.value') }}
            nameOf={({ name }) => name}
            contentOf={({ type, value }) => (
              <>
                <Text span size="sm" c="dimmed">
                  {type}
                </Text>{' '}
                <span className="untrusted-text">{value}</span>
              </>
            )}
            onEdit={setEditing}
            onRemove={removing.mutate}
          />
        </>
      )}
      <EditRecord record={editing} servers={servers} onClose={() => setEditing(undefined)} />
      <ImportHosts isOpen={isImporting} servers={servers} onClose={importing.close} />
    </Section>
  );
}
