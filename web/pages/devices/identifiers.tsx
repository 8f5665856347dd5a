import { ActionIcon, Button, Group, MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../api/api-error.ts';
import { identifiersQuery, updateIdentifiers } from '../../api/devices.ts';
import type { Device, DeviceIdentifiers, DeviceIdentifiersUpdate } from '../../api/wire.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { fieldErrors } from '../../components/field-errors.ts';
import { LoadingState } from '../../components/loading-state.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { Section } from '../../components/section.tsx';
import { useCanEdit } from '../../components/use-can-edit.ts';

type Identifier = DeviceIdentifiers['identifiers'][number];
type Row = Identifier & { readonly key: number };
type Draft = { readonly rows: readonly Row[]; readonly tags: string[] };

const kinds: readonly Identifier['kind'][] = ['mac', 'address', 'host name', 'network'];

/** The properties by which the device is recognised without an id, and its tags. */
export function Identifiers({ device: { id } }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { data, error, isPending, refetch } = useQuery(identifiersQuery(id));
  return (
    <Section title={t('identified.title')} text={t('identified.text')}>
      {isPending ? (
        <LoadingState rows={2} />
      ) : data ? (
        <IdentifiersForm id={id} saved={data} />
      ) : (
        <ErrorState error={error} retry={refetch} />
      )}
    </Section>
  );
}

function IdentifiersForm({ id, saved }: { id: string; saved: DeviceIdentifiers }) {
  const { t } = useTranslation('devices');
  const canEdit = useCanEdit();
  const canAdd = canEdit && saved.assignable !== 'none';
  const stored: DeviceIdentifiersUpdate = { identifiers: saved.identifiers, tags: saved.tags };
  const [draft, setDraft] = useState<Draft & { readonly base: DeviceIdentifiersUpdate }>();
  const { rows, tags } = draft ?? {
    rows: saved.identifiers.map((identifier, key) => ({ ...identifier, key })),
    tags: saved.tags,
  };
  const edit = (update: Partial<Draft>): void => setDraft({ base: draft?.base ?? stored, rows, tags, ...update });
  const setRows = (edited: readonly Row[]): void => edit({ rows: edited });
  const saving = useMutation({
    mutationFn: (base: DeviceIdentifiersUpdate) =>
      updateIdentifiers(id, base, { identifiers: rows.map(({ kind, value }) => ({ kind, value })), tags }),
    onSuccess: () => {
      setDraft(undefined);
      notifyDone(t('identified.saved'));
    },
  });
  // After a conflict the identifiers have been read again, and saving overwrites the change of others.
  const isOvertaken = saving.isError && problemOf(saving.error).kind === 'changed';
  const base = (isOvertaken ? undefined : draft?.base) ?? stored;
  const change = (key: number, update: Partial<Row>): void =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...update } : row)));
  const add = (): void =>
    setRows([...rows, { key: Math.max(0, ...rows.map((row) => row.key)) + 1, kind: 'mac', value: '' }]);
  const errors = fieldErrors(saving.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(base);
      }}
    >
      <Stack>
        {rows.length === 0 && <Text>{canAdd ? t('identified.none') : t('identified.forbidden')}</Text>}
        {rows.map(({ key, kind, value }, index) => (
          <Group key={key} align="flex-start" gap="xs">
            <NativeSelect
              aria-label={t('identified.kind')}
              data={kinds.map((option) => ({ value: option, label: t(`identified.kinds.${option}`) }))}
              value={kind}
              disabled={!canAdd}
              onChange={(event) => change(key, { kind: event.currentTarget.value as Identifier['kind'] })}
              w={{ base: '100%', xs: 200 }}
            />
            <Group align="flex-start" wrap="nowrap" gap="xs" flex={1} maw={370}>
              <TextInput
                aria-label={t(`identified.kinds.${kind}`)}
                placeholder={t(`identified.hints.${kind}`)}
                value={value}
                required
                autoComplete="off"
                disabled={!canAdd}
                error={errors[`identifiers[${index}].value`]}
                onChange={(event) => change(key, { value: event.currentTarget.value })}
                flex={1}
                miw={0}
              />
              <ActionIcon
                variant="default"
                size="input-sm"
                disabled={!canEdit}
                aria-label={t('identified.remove', { value })}
                onClick={() => setRows(rows.filter((row) => row.key !== key))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          </Group>
        ))}
        {canAdd && (
          <Group>
            <Button variant="default" onClick={add}>
              {t('identified.add')}
            </Button>
          </Group>
        )}
        <MultiSelect
          label={t('identified.tags')}
          description={t('identified.tagsText', { tags: saved.type_tags.join(', ') || t('identified.noTags') })}
          data={saved.available_tags.filter((tag) => !saved.type_tags.includes(tag))}
          value={tags}
          onChange={(edited) => edit({ tags: edited })}
          disabled={!canEdit}
          searchable
          maw={560}
        />
        {saving.isError && <ErrorAlert error={saving.error} except={Object.keys(errors)} />}
        {canEdit && (
          <Group>
            <Button type="submit" disabled={!draft} loading={saving.isPending}>
              {t('identified.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
