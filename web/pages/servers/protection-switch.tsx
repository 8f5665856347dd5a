import { useTranslation } from 'react-i18next';
import { updateServerSettings } from '../../api/servers.ts';
import type { DnsServer } from '../../api/wire.ts';
import { UndoableSwitch } from '../../components/undoable-switch.tsx';

/** The one setting that is not saved with the others: whoever needs it needs it now. */
export function ProtectionSwitch({ server, label, hint }: { server: DnsServer; label?: string; hint?: string }) {
  const { t } = useTranslation('servers');
  const { id, name, settings } = server;
  return (
    <UndoableSwitch
      isOn={settings.protection_enabled}
      set={(isOn) => updateServerSettings(id, { protection_enabled: isOn })}
      said={(isOn) => t(isOn ? 'protectionOn' : 'protectionOff', { name })}
      name={t('protectionOf', { name })}
      label={label}
      hint={hint}
    />
  );
}
