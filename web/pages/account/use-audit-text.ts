import { useTranslation } from 'react-i18next';
import { isKnown, isKnownGroup } from './audit-actions.ts';

/** Translates audit actions; unknown actions are shown as the service names them. */
export function useAuditText() {
  const { t } = useTranslation('account');
  return {
    action: (action: string): string => (isKnown(action) ? t(`audit.actions.${action}`) : action),
    group: (group: string): string => (isKnownGroup(group) ? t(`audit.groups.${group}`) : group),
  };
}
