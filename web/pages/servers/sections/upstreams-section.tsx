import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../../api/api-error.ts';
import { setUpstreams, upstreamsQuery } from '../../../api/server-extensions.ts';
import { withStrategy } from '../../../api/upstream-strategy.ts';
import type { Upstreams } from '../../../api/wire.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { notifyDone } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { serviceMessage } from '../../../components/service-message.ts';
import { StrategySelect } from '../../../components/strategy-select.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { LinesInput } from './lines-input.tsx';

/** Upstreams of the server. They are saved separately, because the published settings schema does not include them. */
export function UpstreamsSection() {
  const { t } = useTranslation('servers');
  const { server, canEdit } = useEditor();
  const { data, isPending, error, refetch } = useQuery(upstreamsQuery(server.id));
  const [draft, setDraft] = useState<{ readonly base: Upstreams; readonly edited: Upstreams }>();
  const saving = useMutation({
    mutationFn: ({ base, edited }: NonNullable<typeof draft>) => setUpstreams(server.id, base, edited),
    onSuccess: () => {
      setDraft(undefined);
      notifyDone(t('upstreams.done'));
    },
  });
  const problem = saving.isError ? problemOf(saving.error) : undefined;
  const shown = draft?.edited ?? data;
  const edit = (edited: Upstreams): void => setDraft({ base: draft?.base ?? data ?? edited, edited });
  // After a conflict the form has been read again, and saving overwrites the change of others.
  const base = problem?.kind === 'changed' ? data : draft?.base;
  const fieldErrors = problem?.kind === 'refused' ? problem.fields : [];
  return (
    <Section title={t('upstreams.title')} text={t('upstreams.text')}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !shown && <ErrorState error={error} retry={refetch} />}
      {shown && (
        <Stack>
          <LinesInput
            label={t('upstreams.label')}
            hint={t('upstreams.hint')}
            example={'tls://dns.example\nhttps://dns.example/dns-query'}
            lines={shown.upstreams}
            isReadOnly={!canEdit}
            error={
              fieldErrors.length === 0
                ? undefined
                : fieldErrors.map(({ message }) => serviceMessage(message)).join('; ')
            }
            onChange={(upstreams) => edit({ ...shown, upstreams })}
          />
          <StrategySelect
            upstreams={shown.upstreams}
            strategy={shown.strategy}
            isReadOnly={!canEdit}
            onChange={(strategy) => edit(withStrategy(shown, strategy))}
          />
          {problem && fieldErrors.length === 0 && <ErrorAlert error={saving.error} />}
          {canEdit && (
            <Group>
              <Button
                variant="default"
                disabled={draft === undefined}
                loading={saving.isPending}
                onClick={() => draft && base && saving.mutate({ ...draft, base })}
              >
                {t('upstreams.submit')}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Section>
  );
}
