import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Role } from '../../api/account-wire.ts';
import { devicesQuery } from '../../api/devices.ts';
import { membersQuery } from '../../api/members.ts';
import { serversQuery } from '../../api/servers.ts';
import { useFormat } from '../../components/format.tsx';
import { useListName } from '../../components/use-list-name.ts';
import type { ValueText } from './audit-changes.ts';

/** Names of devices, profiles and members by id. */
export function useAuditNames(): ReadonlyMap<string, string> {
  const { data: devices = [] } = useQuery(devicesQuery);
  const { data: servers = [] } = useQuery(serversQuery);
  const { data: members = [] } = useQuery(membersQuery);
  return new Map([
    ...devices.map(({ id, name }) => [id, name] as const),
    ...servers.map(({ id, name }) => [id, name] as const),
    ...members.map(({ id, email }) => [id, email] as const),
  ]);
}

const isTime = (key: string): boolean => /(?:At|Until)$/.test(key);

/** Field names and values of the audit log as people read them; unknown ones are shown as the service names them. */
export function useAuditFields() {
  const { t, i18n } = useTranslation(['account', 'shell']);
  const { number, time } = useFormat();
  const names = useAuditNames();
  const listName = useListName();
  const field = (key: string): string =>
    i18n.exists(`audit.fields.${key}`, { ns: 'account' }) ? t(`audit.fields.${key as 'name'}`) : key;
  const value: ValueText = (key, auditValue) => {
    if (typeof auditValue === 'boolean') return t(auditValue ? 'audit.yes' : 'audit.no');
    if (typeof auditValue === 'number') return isTime(key) ? time(auditValue) : number(auditValue);
    if (key === 'kind' && i18n.exists(`audit.fields.${auditValue}`, { ns: 'account' }))
      return t(`audit.fields.${auditValue as 'rules'}`);
    if (key === 'role' && i18n.exists(`roles.${auditValue}`, { ns: 'shell' }))
      return t(`shell:roles.${auditValue as Role}`);
    return names.get(auditValue) ?? (key === 'id' ? listName(auditValue) : auditValue);
  };
  return { path: (keys: readonly string[]): string => keys.map(field).join(' › '), value };
}
