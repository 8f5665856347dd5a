import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeSetting, type OperatorSetting, resetSetting } from '../../api/system.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { notifyDone } from '../../components/notify.tsx';
import type { Help } from './use-setting-help.ts';

type Props = { readonly setting: OperatorSetting; readonly help: Help; readonly onClose: () => void };

/** Changes a setting that applies without a restart, or resets it. */
export function EditSetting({ setting, help, onClose }: Props) {
  const { t } = useTranslation('system');
  const { name, values, is_list, choices, placeholder, source } = setting;
  const [text, setText] = useState(values.join('\n'));
  const onSuccess = (): void => {
    notifyDone(t('settings.done', { name }));
    onClose();
  };
  const texts = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const saving = useMutation({ mutationFn: () => changeSetting(name, texts), onSuccess });
  const resetting = useMutation({ mutationFn: () => resetSetting(name), onSuccess });
  const error = saving.error ?? resetting.error;
  const change = (next: string | null): void => setText(next ?? '');
  return (
    <Dialog opened onClose={onClose} title={name}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <Stack>
          <Text size="sm" c="dimmed" lang={help.lang}>
            {help.text}
          </Text>
          {choices.length > 0 && !is_list ? (
            <Select label={t('settings.value')} data={choices} value={text} onChange={change} allowDeselect={false} />
          ) : is_list ? (
            <Textarea
              label={t('settings.values')}
              description={placeholder}
              autosize
              minRows={2}
              dir="ltr"
              data-autofocus
              value={text}
              onChange={(event) => change(event.currentTarget.value)}
            />
          ) : (
            <TextInput
              label={t('settings.value')}
              description={placeholder}
              dir="ltr"
              data-autofocus
              value={text}
              onChange={(event) => change(event.currentTarget.value)}
            />
          )}
          <Text size="sm">{t('settings.stored')}</Text>
          {error && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            {source === 'stored' && (
              <Button variant="default" loading={resetting.isPending} onClick={() => resetting.mutate()}>
                {t('settings.reset')}
              </Button>
            )}
            <Button type="submit" loading={saving.isPending}>
              {t('settings.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
