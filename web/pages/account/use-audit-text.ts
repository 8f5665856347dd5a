import { useTranslation } from 'react-i18next';

const actions = [
  'account.create',
  'account.update',
  'account.limits',
  'account.operator',
  'api_key.create',
  'api_key.remove',
  'authorization.create',
  'custom_list.create',
  'custom_list.update',
  'custom_list.remove',
  'custom_list.accept',
  'dedicated_address.allocate',
  'dedicated_address.link',
  'dedicated_address.unlink',
  'dedicated_address.release',
  'device.create',
  'device.update',
  'device.settings',
  'device.doh_password',
  'device.link',
  'device.unlink',
  'device.pause',
  'device.resume',
  'device.remove',
  'device.restore',
  'dns_server.create',
  'dns_server.update',
  'dns_server.settings',
  'dns_server.custom_lists',
  'dns_server.local_names',
  'dns_server.temporary_rule',
  'dns_server.upstreams',
  'dns_server.pause',
  'dns_server.resume',
  'dns_server.remove',
  'forward_rule.create',
  'forward_rule.update',
  'forward_rule.remove',
  'invitation.create',
  'invitation.remove',
  'local_record.create',
  'local_record.update',
  'local_record.remove',
  'local_record.import',
  'member.create',
  'member.update',
  'member.email',
  'member.remove',
  'node.create',
  'node.revoke',
  'password.update',
  'protection.pause',
  'protection.resume',
  'query_log.clear',
  'second_factor.begin',
  'second_factor.enable',
  'second_factor.disable',
  'second_factor.recovery_codes',
  'session.create',
  'session.end',
  'session.end_others',
  'session.refused',
  'session.reused',
  'system.backup',
  'system.setting',
  'system.clear_cache',
  'system.reload_certificates',
  'system.download_backup',
  'system.accept_list',
] as const;

type Action = (typeof actions)[number];
const isKnown = (action: string): action is Action => (actions as readonly string[]).includes(action);

const groups = [
  'account',
  'api_key',
  'authorization',
  'custom_list',
  'dedicated_address',
  'device',
  'dns_server',
  'forward_rule',
  'invitation',
  'local_record',
  'member',
  'node',
  'password',
  'protection',
  'query_log',
  'second_factor',
  'session',
  'system',
] as const;
type Group = (typeof groups)[number];
const isKnownGroup = (group: string): group is Group => (groups as readonly string[]).includes(group);

/** `device` of `device.create`. */
export const groupOf = (action: string): string => action.split('.')[0]!;

/** Translates audit actions; unknown actions are shown as the service names them. */
export function useAuditText() {
  const { t } = useTranslation('account');
  return {
    action: (action: string): string => (isKnown(action) ? t(`audit.actions.${action}`) : action),
    group: (group: string): string => (isKnownGroup(group) ? t(`audit.groups.${group}`) : group),
  };
}
