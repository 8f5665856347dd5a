import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

// What the service says where an answer had no address, or nobody knows where it is.
const NOWHERE = 'QN';

/** What this language calls a country of two letters. */
export function useCountryName(): (code: string) => string {
  const { t, i18n } = useTranslation('log');
  return useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'region', fallback: 'code' });
    const nameOf = (code: string): string =>
      code === NOWHERE || !/^[A-Z]{2}$/.test(code) ? t('nowhere') : (names.of(code) ?? code);
    const known = new Map<string, string>();
    return (code) => {
      const name = known.get(code) ?? nameOf(code);
      known.set(code, name);
      return name;
    };
  }, [t, i18n.language]);
}
