import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { problemOf } from '../../../api/api-error.ts';
import { setUpstreams, upstreamsQuery } from '../../../api/server-extensions.ts';
import { ProblemNote } from '../../../components/error-alert.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { notifyDone } from '../../../components/notify.tsx';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { LinesInput } from './lines-input.tsx';

/** Whom this server asks. It is saved by itself: the published interface has no member for it. */
export function UpstreamsSection() {
  const { t } = useTranslation('servers');
  const { server, mayChange } = useEditor();
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
  const refusals = problem?.kind === 'refused' ? problem.fields : [];
  return (
    <Section title={t('upstreams.title')} text={t('upstreams.text')}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !data && <ErrorState error={error} retry={refetch} />}
      {data && (
        <Stack>
          <LinesInput
            label={t('upstreams.label')}
            hint={t('upstreams.hint')}
            like={'tls://dns.example\nhttps://dns.example/dns-query'}
            lines={typed ?? data.upstreams}
            isReadOnly={!mayChange}
            error={refusals.length === 0 ? undefined : refusals.map(({ message }) => message).join('; ')}
            onChange={setTyped}
          />
          {problem && refusals.length === 0 && <ProblemNote error={saving.error} />}
          {mayChange && (
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
