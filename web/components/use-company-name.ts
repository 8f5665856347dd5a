import { useTranslation } from 'react-i18next';

/** The name that the service returns for domains without a known company. */
const UNKNOWN = 'Unknown';

export function useCompanyName(): (name: string) => string {
  const { t } = useTranslation('common');
  return (name) => (name === UNKNOWN ? t('unknownCompany') : name);
}
