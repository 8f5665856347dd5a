import { useTranslation } from 'react-i18next';
import { updateServerSettings } from '../../api/servers.ts';
import type { DnsServer } from '../../api/wire.ts';
import { UndoableSwitch } from '../../components/undoable-switch.tsx';

/** Saved immediately, unlike the other settings, because it is used to fix broken sites quickly. */
export function ProtectionSwitch({ server, label, hint }: { server: DnsServer; label?: string; hint?: string }) {
  const { t } = useTranslation('servers');
  const { id, name, settings } = server;
  return (
    <UndoableSwitch
      isOn={settings.protection_enabled}
      set={(isOn) => updateServerSettings(id, { protection_enabled: isOn })}
      message={(isOn) => t(isOn ? 'protectionOn' : 'protectionOff', { name })}
      name={t('protectionOf', { name })}
      label={label}
      hint={hint}
    />
  );
}
