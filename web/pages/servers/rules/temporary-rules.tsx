import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addTemporaryRule, endTemporaryRule, temporaryRulesQuery } from '../../../api/server-extensions.ts';
import type { TemporaryRule } from '../../../api/wire.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { fieldErrors } from '../../../components/field-errors.ts';
import { useFormat } from '../../../components/format.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { notifyDone, notifyWithUndo } from '../../../components/notify.tsx';
import { RuleText } from '../../../components/rule-text.tsx';
import { Section } from '../../../components/section.tsx';
import { useAction } from '../../../components/use-action.ts';
import { useEditor } from '../draft/use-editor.ts';
import classes from './rules.module.css';

const spans = ['10', '60', '240', '1440', '10080'] as const;

/** Rules that expire. They apply immediately, independent of unsaved changes. */
export function TemporaryRules() {
  const { t } = useTranslation('servers');
  const { server, canEdit } = useEditor();
  const { data, isPending, error, refetch } = useQuery(temporaryRulesQuery(server.id));
  return (
    <Section title={t('temporary.title')} text={t('temporary.text')}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !data && <ErrorState error={error} retry={refetch} />}
      {data?.length === 0 && <Text>{t('temporary.none')}</Text>}
      {data && data.length > 0 && (
        <div>
          {data.map((rule) => (
            <Row key={rule.id} rule={rule} />
          ))}
        </div>
      )}
      {canEdit && <AddForm />}
    </Section>
  );
}

function Row({ rule: { id, rule, time_ends, seconds_left } }: { rule: TemporaryRule }) {
  const { t } = useTranslation('servers');
  const { server, canEdit } = useEditor();
  const { time } = useFormat();
  const again = useAction(() => addTemporaryRule(server.id, rule, Math.max(1, Math.ceil(seconds_left / 60))));
  const ending = useAction(() => endTemporaryRule(server.id, id), {
    onDone: () => notifyWithUndo(t('temporary.ended'), () => again.mutate()),
  });
  return (
    <div className={classes['row']}>
      <Stack gap={0} flex={1} miw={0}>
        <RuleText rule={rule} />
        <Text size="xs" c="dimmed">
          {t('temporary.until', { when: time(Date.parse(time_ends), { dateStyle: 'medium', timeStyle: 'short' }) })}
        </Text>
      </Stack>
      {canEdit && (
        <Button size="xs" variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
          {t('temporary.end')}
        </Button>
      )}
    </div>
  );
}

function AddForm() {
  const { t } = useTranslation('servers');
  const { server } = useEditor();
  const [rule, setRule] = useState('');
  const [minutes, setMinutes] = useState<string>('60');
  const adding = useMutation({
    mutationFn: () => addTemporaryRule(server.id, rule.trim(), Number(minutes)),
    onSuccess: () => {
      setRule('');
      notifyDone(t('temporary.done'));
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Stack gap="xs">
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('temporary.rule')}
            placeholder="@@||example.org^"
            required
            flex={1}
            miw={200}
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            value={rule}
            error={fieldErrors(adding.error)['rule']}
            onChange={(event) => setRule(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('temporary.span')}
            value={minutes}
            data={spans.map((value) => ({ value, label: t(`spans.${value}`) }))}
            onChange={(event) => setMinutes(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={adding.isPending}>
            {t('temporary.add')}
          </Button>
        </Group>
        {adding.isError && <ErrorAlert error={adding.error} except={['rule']} />}
      </Stack>
    </form>
  );
}
