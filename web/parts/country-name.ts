import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

// What the service says where an answer had no address, or nobody knows where it is.
const NOWHERE = 'QN';

/** What this language calls a country of two letters. */
export function useCountryName(): (code: string) => string {
  const { t, i18n } = useTranslation('log');
  return useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'region', fallback: 'code' });
    return (code) => (code === NOWHERE || !/^[A-Z]{2}$/.test(code) ? t('nowhere') : (names.of(code) ?? code));
  }, [t, i18n.language]);
}
