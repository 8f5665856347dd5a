import { useTranslation } from 'react-i18next';
import { useEditor } from '../draft/use-editor.ts';
import { SettingSwitch } from '../sections/setting-switch.tsx';

/** Turns all of parental control on: adult sites, safe search, services, categories and the schedule. */
export function ParentalSwitch() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit } = useEditor();
  return (
    <SettingSwitch
      label={t('parental.enabled')}
      isOn={settings.parental_control_settings.enabled}
      isDisabled={!canEdit}
      onChange={(enabled) => change({ parental_control_settings: { enabled } })}
    />
  );
}
