import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { SafetySwitch } from '../sections/safety-switch.tsx';
import { SettingSwitch } from '../sections/setting-switch.tsx';
import { ParentalSwitch } from './parental-switch.tsx';

const switches = ['engines_safe_search_enabled', 'youtube_safe_search_enabled'] as const;

/** Content that parental control hides everywhere. */
export function ParentalSection() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit, errorOf } = useEditor();
  const parental = settings.parental_control_settings;
  return (
    <Section title={t('parental.title')} text={t('parental.text')}>
      <Stack>
        <ParentalSwitch />
        <SafetySwitch
          setting="block_adult_websites_enabled"
          label={t('parental.block_adult_websites_enabled')}
          hint={t('parental.hint_block_adult_websites_enabled')}
          isOn={parental.block_adult_websites_enabled}
          isDisabled={!canEdit || !parental.enabled}
          error={errorOf('parental_control_settings.block_adult_websites_enabled')}
          onChange={(isOn) => change({ parental_control_settings: { block_adult_websites_enabled: isOn } })}
        />
        {switches.map((member) => (
          <SettingSwitch
            key={member}
            label={t(`parental.${member}`)}
            hint={t(`parental.hint_${member}`)}
            isOn={parental[member]}
            isDisabled={!canEdit || !parental.enabled}
            error={errorOf(`parental_control_settings.${member}`)}
            onChange={(isOn) => change({ parental_control_settings: { [member]: isOn } })}
          />
        ))}
      </Stack>
    </Section>
  );
}
