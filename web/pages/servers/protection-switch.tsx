import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { updateServerSettings } from '../../api/servers.ts';
import type { DnsServer } from '../../api/wire.ts';
import { notifyWithUndo } from '../../parts/notify.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useMayChange } from '../../parts/use-may-change.ts';

/** The one setting that is not saved with the others: whoever needs it needs it now. */
export function ProtectionSwitch({ server, label, hint }: { server: DnsServer; label?: string; hint?: string }) {
  const { t } = useTranslation('servers');
  const mayChange = useMayChange();
  const { id, name, settings } = server;
  const set = (isOn: boolean): Promise<void> => updateServerSettings(id, { protection_enabled: isOn });
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
