import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { updateDeviceSettings } from '../../api/devices.ts';
import type { Device } from '../../api/wire.ts';
import { notifyWithUndo } from '../../parts/notify.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useMayChange } from '../../parts/use-may-change.ts';

/** Holds from the next query on; whoever slipped can take it back. */
export function ProtectionSwitch({ device, label, hint }: { device: Device; label?: string; hint?: string }) {
  const { t } = useTranslation('devices');
  const mayChange = useMayChange();
  const { name, id, settings } = device;
  const set = (isOn: boolean): Promise<void> => updateDeviceSettings(id, { protection_enabled: isOn });
  const undoing = useAction(set);
  const switching = useAction(set, {
    onDone: (_, isOn) =>
      notifyWithUndo(t(isOn ? 'protectionOn' : 'protectionOff', { name }), () => undoing.mutate(!isOn)),
  });
  const isOn = switching.isPending ? switching.variables : settings.protection_enabled;
  return (
    <Switch
      checked={isOn}
      disabled={!mayChange}
      {...(label === undefined ? { 'aria-label': t('protectionOf', { name }) } : { label, description: hint })}
      onChange={(event) => switching.mutate(event.currentTarget.checked)}
    />
  );
}
