import { Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ServerSettingsUpdate } from '../../../api/wire.ts';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import { LinesInput } from './lines-input.tsx';
import { SettingSwitch } from './setting-switch.tsx';

const lists = [
  { member: 'allowed_clients', example: '192.0.2.0/24\nAS64496' },
  { member: 'blocked_clients', example: '203.0.113.7\n2001:db8::/32' },
  { member: 'blocked_domain_rules', example: '||example.org^\nmyip.example' },
] as const;

export function AccessSection() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit, errorOf } = useEditor();
  const access = settings.access_settings;
  const set = (update: NonNullable<ServerSettingsUpdate['access_settings']>): void =>
    change({ access_settings: update });
  return (
    <Section title={t('sections.access')} text={t('access.text')}>
      <Stack>
        <SettingSwitch
          label={t('access.enabled')}
          isOn={access.enabled}
          isDisabled={!canEdit}
          onChange={(enabled) => set({ enabled })}
        />
        {lists.map(({ member, example }) => (
          <LinesInput
            key={member}
            label={t(`access.${member}`)}
            hint={t(`access.hint_${member}`)}
            example={example}
            lines={access[member]}
            isReadOnly={!canEdit}
            error={errorOf(`access_settings.${member}`)}
            onChange={(lines) => set({ [member]: lines })}
          />
        ))}
        <SettingSwitch
          label={t('access.scanners')}
          hint={t('access.hint_scanners')}
          isOn={access.block_known_scanners}
          isDisabled={!canEdit}
          onChange={(block_known_scanners) => set({ block_known_scanners })}
        />
      </Stack>
    </Section>
  );
}
