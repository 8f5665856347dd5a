import { useTranslation } from 'react-i18next';
import { updateDeviceSettings } from '../../api/devices.ts';
import type { Device } from '../../api/wire.ts';
import { UndoableSwitch } from '../../components/undoable-switch.tsx';

export function ProtectionSwitch({ device, label, hint }: { device: Device; label?: string; hint?: string }) {
  const { t } = useTranslation('devices');
  const { name, id, settings } = device;
  return (
    <UndoableSwitch
      isOn={settings.protection_enabled}
      set={(isOn) => updateDeviceSettings(id, { protection_enabled: isOn })}
      message={(isOn) => t(isOn ? 'protectionOn' : 'protectionOff', { name })}
      name={t('protectionOf', { name })}
      label={label}
      hint={hint}
    />
  );
}
