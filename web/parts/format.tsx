import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from './use-now.ts';

/** How this language writes numbers and times. */
export function useFormat() {
  const { language } = useTranslation().i18n;
  return useMemo(
    () => ({
      number: (value: number, options?: Intl.NumberFormatOptions): string =>
        new Intl.NumberFormat(language, options).format(value),
      short: (value: number): string =>
        new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value),
      share: (value: number): string =>
        new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value),
      time: (millis: number, options: Intl.DateTimeFormatOptions = usualTime): string =>
        new Intl.DateTimeFormat(language, options).format(millis),
    }),
    [language],
  );
}

const usualTime: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };

export const NumberText = ({ value }: { value: number }) => <span>{useFormat().number(value)}</span>;

export const TimeText = ({ millis }: { millis: number }) => (
  <time dateTime={new Date(millis).toISOString()}>{useFormat().time(millis)}</time>
);

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "3 minutes ago", with the exact time for whoever points at it. */
export function TimeAgo({ millis }: { millis: number }) {
  const { language } = useTranslation().i18n;
  const { time } = useFormat();
  const past = useNow() - millis;
  const [unit, length] = units.find(([, length]) => past >= length) ?? (['second', 1000] as const);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(past / length), unit);
  return (
    <time dateTime={new Date(millis).toISOString()} title={time(millis)}>
      {words}
    </time>
  );
}
