import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { upstreamsQuery } from '../../../api/server-extensions.ts';
import { withStrategy } from '../../../api/upstream-strategy.ts';
import type { Upstreams } from '../../../api/wire.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { StrategySelect } from '../../../components/strategy-select.tsx';
import { useDraftPart } from '../draft/use-draft-part.ts';
import { useEditor } from '../draft/use-editor.ts';
import { LinesInput } from './lines-input.tsx';

export function UpstreamsSection() {
  const { t } = useTranslation('servers');
  const { server } = useEditor();
  const { data, isPending, error, refetch } = useQuery(upstreamsQuery(server.id));
  return (
    <Section title={t('upstreams.title')} text={t('upstreams.text')}>
      {isPending && <LoadingState rows={2} />}
      {!isPending && !data && <ErrorState error={error} retry={refetch} />}
      {data && <Fields stored={data} />}
    </Section>
  );
}

function Fields({ stored }: { stored: Upstreams }) {
  const { t } = useTranslation('servers');
  const { canEdit, errorOf } = useEditor();
  const { value, change } = useDraftPart('upstreams', stored);
  return (
    <Stack>
      <LinesInput
        label={t('upstreams.label')}
        hint={t('upstreams.hint')}
        example={'tls://dns.example\nhttps://dns.example/dns-query'}
        lines={value.upstreams}
        isReadOnly={!canEdit}
        error={errorOf('upstreams.upstreams')}
        onChange={(upstreams) => change({ ...value, upstreams })}
      />
      <StrategySelect
        upstreams={value.upstreams}
        strategy={value.strategy}
        isReadOnly={!canEdit}
        onChange={(strategy) => change(withStrategy(value, strategy))}
      />
    </Stack>
  );
}
