import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServerSettingsUpdate } from '../../../api/wire.ts';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { ParentalSection } from '../parental/parental-section.tsx';
import { BlockingFields } from './blocking-fields.tsx';
import { SafetySwitch } from './safety-switch.tsx';
import { SettingSwitch } from './setting-switch.tsx';

const kinds = [
  'block_dangerous_domains',
  'typosquatting_protection_enabled',
  'homoglyph_protection_enabled',
  'block_nrd',
] as const;

export function SafetySection() {
  return (
    <>
      <SafeBrowsing />
      <ParentalSection />
    </>
  );
}

function SafeBrowsing() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit, errorOf } = useEditor();
  const safety = settings.safebrowsing_settings;
  const set = (update: NonNullable<ServerSettingsUpdate['safebrowsing_settings']>): void =>
    change({ safebrowsing_settings: update });
  return (
    <Section title={t('safety.title')} text={t('safety.text')}>
      <Stack>
        <SettingSwitch
          label={t('safety.enabled')}
          isOn={safety.enabled}
          isDisabled={!canEdit}
          onChange={(enabled) => set({ enabled })}
        />
        {kinds.map((kind) => (
          <SafetySwitch
            key={kind}
            setting={kind}
            label={t(`safety.${kind}`)}
            hint={t(`safety.hint_${kind}`)}
            isOn={safety[kind]}
            isDisabled={!canEdit || !safety.enabled}
            error={errorOf(`safebrowsing_settings.${kind}`)}
            onChange={(isOn) => set({ [kind]: isOn })}
          />
        ))}
        <BlockingFields
          label={t('safety.mode')}
          path="safebrowsing_settings.blocking_mode_settings"
          value={safety.blocking_mode_settings}
          isDisabled={!canEdit || !safety.enabled}
          inheritedLabel={t('safety.asOthers')}
          onChange={(blocking_mode_settings) => set({ blocking_mode_settings })}
        />
      </Stack>
    </Section>
  );
}
