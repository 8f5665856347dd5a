import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { BlockingSection } from './blocking-section.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import { UpstreamsSection } from './upstreams-section.tsx';

const groups = [
  { group: 'log', members: ['ip_log_enabled'] },
  { group: 'devices', members: ['auto_connect_devices_enabled'] },
  { group: 'detours', members: ['block_private_relay', 'block_firefox_canary', 'block_chrome_prefetch'] },
] as const;

export function AdvancedSection() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit, errorOf } = useEditor();
  const switches = groups.map(({ group, members }) => (
    <Section key={group} title={t(`advanced.${group}.title`)} text={t(`advanced.${group}.text`)}>
      <Stack>
        {members.map((member) => (
          <SettingSwitch
            key={member}
            label={t(`advanced.${member}`)}
            hint={t(`advanced.hint_${member}`)}
            isOn={settings[member]}
            isDisabled={!canEdit}
            error={errorOf(member)}
            onChange={(isOn) => change({ [member]: isOn })}
          />
        ))}
      </Stack>
    </Section>
  ));
  return (
    <>
      <BlockingSection />
      {switches}
      <UpstreamsSection />
    </>
  );
}
