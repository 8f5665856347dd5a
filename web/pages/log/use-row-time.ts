import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Times of rows: one writer for all of them, because making one takes longer than drawing a row. */
export function useRowTime(): (millis: number) => string {
  const { language } = useTranslation().i18n;
  return useMemo(() => {
    const writer = new Intl.DateTimeFormat(language, {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    return (millis) => writer.format(millis);
  }, [language]);
}
