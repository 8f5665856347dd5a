import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
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
            // Not a list of our own, which the small dialog would cut off.
            <NativeSelect
              label={t('settings.value')}
              data={choices.includes(text) ? choices : ['', ...choices]}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          ) : is_list ? (
            <Textarea
              label={t('settings.values')}
              description={placeholder}
              autosize
              minRows={2}
              dir="ltr"
              data-autofocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
          ) : (
            <TextInput
              label={t('settings.value')}
              description={placeholder}
              dir="ltr"
              data-autofocus
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
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
