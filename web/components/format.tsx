import { useTranslation } from 'react-i18next';
import { formattersFor } from './formatters.ts';
import { useNow } from './use-now.ts';

/** Number and time formats of the current language. */
export const useFormat = () => formattersFor(useTranslation().i18n.language);

export const NumberText = ({ value }: { value: number }) => <span>{useFormat().number(value)}</span>;

export const TimeText = ({ millis }: { millis: number }) => (
  <time dateTime={new Date(millis).toISOString()}>{useFormat().time(millis)}</time>
);

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Relative time ("3 minutes ago") with the exact time as a tooltip. */
export function TimeAgo({ millis }: { millis: number }) {
  const { time, relative } = useFormat();
  // The clock of the service may be ahead of that of the browser.
  const elapsed = Math.max(0, useNow() - millis);
  const [unit, length] = units.find(([, length]) => elapsed >= length) ?? (['second', 1000] as const);
  return (
    <time dateTime={new Date(millis).toISOString()} title={time(millis)}>
      {relative(-Math.floor(elapsed / length), unit)}
    </time>
  );
}
