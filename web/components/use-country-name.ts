import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

// ISO 3166 user-assigned code that the service sends if the country is unknown.
export const UNKNOWN_COUNTRY = 'QN';

/** Localised name of an ISO 3166 country code. */
export function useCountryName(): (code: string) => string {
  const { t, i18n } = useTranslation('log');
  return useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'region', fallback: 'code' });
    const nameOf = (code: string): string =>
      code === UNKNOWN_COUNTRY || !/^[A-Z]{2}$/.test(code) ? t('nowhere') : (names.of(code) ?? code);
    const cache = new Map<string, string>();
    return (code) => {
      const name = cache.get(code) ?? nameOf(code);
      cache.set(code, name);
      return name;
    };
  }, [t, i18n.language]);
}
