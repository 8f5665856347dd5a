import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../../api/api-error.ts';
import { setUpstreams, upstreamsQuery } from '../../../api/server-extensions.ts';
import { ErrorAlert } from '../../../components/error-alert.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { notifyDone } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { LinesInput } from './lines-input.tsx';

/** Upstreams of the server. They are saved separately, because the published settings schema does not include them. */
export function UpstreamsSection() {
  const { t } = useTranslation('servers');
  const { server, canEdit } = useEditor();
  const { data, isPending, error, refetch } = useQuery(upstreamsQuery(server.id));
  const [typed, setTyped] = useState<string[]>();
  const saving = useMutation({
    mutationFn: (upstreams: string[]) => setUpstreams(server.id, upstreams),
    onSuccess: () => {
      setTyped(undefined);
      notifyDone(t('upstreams.done'));
    },
  });
  const problem = saving.isError ? problemOf(saving.error) : undefined;
  const fieldErrors = problem?.kind === 'refused' ? problem.fields : [];
  return (
    <Section title={t('upstreams.title')} text={t('upstreams.text')}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !data && <ErrorState error={error} retry={refetch} />}
      {data && (
        <Stack>
          <LinesInput
            label={t('upstreams.label')}
            hint={t('upstreams.hint')}
            example={'tls://dns.example\nhttps://dns.example/dns-query'}
            lines={typed ?? data.upstreams}
            isReadOnly={!canEdit}
            error={fieldErrors.length === 0 ? undefined : fieldErrors.map(({ message }) => message).join('; ')}
            onChange={setTyped}
          />
          {problem && fieldErrors.length === 0 && <ErrorAlert error={saving.error} />}
          {canEdit && (
            <Group>
              <Button
                variant="default"
                disabled={typed === undefined}
                loading={saving.isPending}
                onClick={() => typed && saving.mutate(typed)}
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
