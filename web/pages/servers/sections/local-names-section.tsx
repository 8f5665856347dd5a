import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { localNameSettingsQuery } from '../../../api/local-names.ts';
import type { LocalNameSettings, LocalNameSettingsUpdate } from '../../../api/wire.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { useDraftPart } from '../draft/use-draft-part.ts';
import { useEditor } from '../draft/use-editor.ts';
import { LinesInput } from './lines-input.tsx';

const DEFAULT_PREFIX = '64:ff9b::/96';

export function LocalNamesSection() {
  const { server } = useEditor();
  const { data, isPending, error, refetch } = useQuery(localNameSettingsQuery(server.id));
  if (isPending) return <LoadingState />;
  return data ? <Form settings={data} /> : <ErrorState error={error} retry={refetch} />;
}

function Form({ settings: { rebinding_presets: presets, ...stored } }: { settings: LocalNameSettings }) {
  const { t } = useTranslation('servers');
  const { canEdit, errorOf } = useEditor();
  const { value: input, change: setInput } = useDraftPart('localNames', stored);
  const change = (update: Partial<LocalNameSettingsUpdate>): void => setInput({ ...input, ...update });
  const unused = presets.filter(({ domain }) => !input.rebinding_allowed.includes(domain));
  return (
    <>
      <Section title={t('names.private.title')} text={t('names.private.text')}>
        <LinesInput
          label={t('names.private.label')}
          hint={t('names.private.hint')}
          example="plex.direct"
          lines={input.rebinding_allowed}
          isReadOnly={!canEdit}
          error={errorOf('localNames.rebinding_allowed')}
          onChange={(domains) => change({ rebinding_allowed: domains })}
        />
        {canEdit && unused.length > 0 && (
          <Stack gap={4}>
            <Text size="sm">{t('names.private.presets')}</Text>
            <Group gap="xs">
              {unused.map(({ domain, description }) => (
                <Button
                  key={domain}
                  size="compact-sm"
                  variant="default"
                  leftSection={<IconPlus size={14} />}
                  title={description}
                  onClick={() => change({ rebinding_allowed: [...input.rebinding_allowed, domain] })}
                >
                  {domain}
                </Button>
              ))}
            </Group>
          </Stack>
        )}
      </Section>
      <Section title={t('names.search.title')} text={t('names.search.text')}>
        <LinesInput
          label={t('names.search.label')}
          hint={t('names.search.hint')}
          example="home.arpa"
          lines={input.search_domains}
          isReadOnly={!canEdit}
          error={errorOf('localNames.search_domains')}
          onChange={(domains) => change({ search_domains: domains })}
        />
      </Section>
      <Section title={t('names.dns64.title')} text={t('names.dns64.text')}>
        <Switch
          label={t('names.dns64.label')}
          checked={input.dns64 !== undefined}
          disabled={!canEdit}
          onChange={(event) => {
            const { dns64: _, ...rest } = input;
            setInput(event.currentTarget.checked ? { ...rest, dns64: { prefix: DEFAULT_PREFIX } } : rest);
          }}
        />
        {input.dns64 && (
          <TextInput
            label={t('names.dns64.prefix')}
            description={t('names.dns64.hint')}
            placeholder={DEFAULT_PREFIX}
            maw={360}
            dir="ltr"
            readOnly={!canEdit}
            value={input.dns64.prefix ?? ''}
            error={errorOf('localNames.dns64')}
            onChange={(event) => change({ dns64: { prefix: event.currentTarget.value } })}
          />
        )}
      </Section>
    </>
  );
}
