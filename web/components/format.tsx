import { useTranslation } from 'react-i18next';
import { formatsOf } from './formatters.ts';
import { useNow } from './use-now.ts';

/** How the language of the page writes numbers and times. */
export const useFormat = () => formatsOf(useTranslation().i18n.language);

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
