import { useTranslation } from 'react-i18next';
import { useCategoryName } from '../../components/use-category-name.ts';
import { useListName } from '../../components/use-list-name.ts';
import type { LogRow } from './log-rows.ts';
import { responseCode } from './response-code.ts';

export const REBINDING_PROTECTION = 'rebinding protection';
const unlessSuccess = (code: string | undefined): string => (code === undefined || code === 'NOERROR' ? '' : code);

// Recorded in place of a rule where no rule decided.
const reasons = {
  [REBINDING_PROTECTION]: 'reasons.rebinding',
  'access settings': 'reasons.access',
  'local record': 'reasons.record',
} as const;

/** Text of a recorded reason that is not a rule. */
export function useRecordedReason(): (rule: string) => string | undefined {
  const { t } = useTranslation('log');
  const isReason = (text: string): text is keyof typeof reasons => Object.hasOwn(reasons, text);
  return (rule) => (isReason(rule) ? t(reasons[rule]) : undefined);
}

/**
 * The most specific reason of a result: the rule, the list, the service or the kind of protection; without any, a response code
 * such as SERVFAIL. Empty for plain answers.
 */
export function useReason(): (row: LogRow) => string {
  const { t } = useTranslation('log');
  const listName = useListName();
  const categoryName = useCategoryName();
  const recorded = useRecordedReason();
  return ({ filtering_info: info, dns_response_type: response }) => {
    const { filtering_type: source, filter_id: list, filter_rule: rule } = info;
    const reason = rule === undefined ? undefined : recorded(rule);
    if (reason !== undefined) return reason;
    if (source === undefined) return unlessSuccess(responseCode(response));
    if (source === 'USER_FILTER' && rule !== undefined) return rule;
    if (source === 'FILTERS' && list !== undefined) return listName(list);
    const detail = info.blocked_service_id ?? (info.filtering_category_id && categoryName(info.filtering_category_id));
    return detail === undefined ? t(`sources.${source}`) : `${t(`sources.${source}`)}: ${detail}`;
  };
}
