import { NumberInput, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { BlockingFields } from './blocking-fields.tsx';

const MAX_TTL_SECONDS = 3600;

export function BlockingSection() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit, errorOf } = useEditor();
  return (
    <Section title={t('blocking.title')} text={t('blocking.text')}>
      <Stack>
        <BlockingFields
          label={t('blocking.mode')}
          path="blocking_mode_settings"
          value={settings.blocking_mode_settings}
          isDisabled={!canEdit}
          onChange={(blocking_mode_settings) => change({ blocking_mode_settings })}
        />
        <NumberInput
          label={t('blocking.ttl')}
          description={t('blocking.ttlHint')}
          maw={420}
          min={0}
          max={MAX_TTL_SECONDS}
          allowDecimal={false}
          disabled={!canEdit}
          value={settings.block_ttl_seconds}
          error={errorOf('block_ttl_seconds')}
          onChange={(value) => typeof value === 'number' && change({ block_ttl_seconds: value })}
        />
      </Stack>
    </Section>
  );
}
