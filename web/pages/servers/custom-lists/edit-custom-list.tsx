import { Button, Group, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CustomListText, createCustomList, updateCustomList } from '../../../api/server-extensions.ts';
import type { CustomList } from '../../../api/wire.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { fieldErrors } from '../../../components/field-errors.ts';
import { notifyDone } from '../../../components/notify.tsx';
import { MAX_NAME } from '../sections/name-section.tsx';

type Props = {
  readonly list: CustomList | 'new' | undefined;
  readonly onClose: () => void;
  readonly onCreated: (list: CustomList) => void;
};

export function EditCustomList({ list, onClose, onCreated }: Props) {
  const { t } = useTranslation('servers');
  return (
    <Dialog
      opened={list !== undefined}
      onClose={onClose}
      title={list === 'new' ? t('custom.add') : t('custom.edit')}
      size="lg"
    >
      {list !== undefined && <Form list={list === 'new' ? undefined : list} onClose={onClose} onCreated={onCreated} />}
    </Dialog>
  );
}

type Kind = 'url' | 'rules';

type FormProps = Omit<Props, 'list'> & { readonly list: CustomList | undefined };

function Form({ list, onClose, onCreated }: FormProps) {
  const { t } = useTranslation(['servers', 'common']);
  const [name, setName] = useState(list?.name ?? '');
  const [kind, setKind] = useState<Kind>(list?.rules === undefined ? 'url' : 'rules');
  const [texts, setTexts] = useState({ url: list?.url ?? '', rules: list?.rules ?? '' });
  const saving = useMutation({
    mutationFn: (text: CustomListText) => (list ? updateCustomList(list.id, text) : createCustomList(text)),
    onSuccess: (saved) => {
      if (!list) onCreated(saved);
      notifyDone(t('custom.done'));
      onClose();
    },
  });
  const errors = fieldErrors(saving.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate({ name, [kind]: texts[kind] });
      }}
    >
      <Stack>
        <TextInput
          label={t('name')}
          required
          maxLength={MAX_NAME}
          autoComplete="off"
          data-autofocus
          value={name}
          error={errors['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label={t('custom.kind')}
          value={kind}
          data={[
            { value: 'url', label: t('custom.byAddress') },
            { value: 'rules', label: t('custom.byRules') },
          ]}
          onChange={(value) => setKind(value as Kind)}
        />
        {kind === 'url' ? (
          <TextInput
            type="url"
            label={t('custom.url')}
            placeholder="https://lists.example.org/ours.txt"
            required
            dir="ltr"
            value={texts.url}
            error={errors['url']}
            onChange={(event) => setTexts({ ...texts, url: event.currentTarget.value })}
          />
        ) : (
          <Textarea
            label={t('custom.rules')}
            required
            autosize
            minRows={6}
            maxRows={16}
            dir="ltr"
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            spellCheck={false}
            value={texts.rules}
            error={errors['rules']}
            onChange={(event) => setTexts({ ...texts, rules: event.currentTarget.value })}
          />
        )}
        {saving.isError && <ErrorAlert error={saving.error} except={['name', 'url', 'rules']} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t('save.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
