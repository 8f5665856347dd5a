import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Period, periodText, rangeOf } from './period.ts';

const presets = [60, 1440, 10080, 43200, 129600] as const;

// Format of `datetime-local`: local time without a zone.
const fieldText = (millis: number): string => {
  const date = new Date(millis);
  return new Date(millis - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

export function PeriodPicker({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const { t } = useTranslation('common');
  const range = rangeOf(period, Date.now());
  // The URL may contain a length without a preset; it is shown as a range.
  const isRange = period.kind === 'range' || !presets.some((minutes) => minutes === period.minutes);
  const data = [
    ...presets.map((minutes) => ({ value: `${minutes}m`, label: t(`period.${minutes}`) })),
    { value: 'range', label: t('period.range') },
  ];
  const pick = (value: string): void =>
    onChange(value === 'range' ? { kind: 'range', ...range } : { kind: 'last', minutes: Number.parseInt(value, 10) });
  const move = (end: 'from' | 'to', text: string): void => {
    const next = { ...range, [end]: new Date(text).getTime() };
    if (next.from < next.to) onChange({ kind: 'range', ...next });
  };
  return (
    <>
      <NativeSelect
        aria-label={t('period.label')}
        data={data}
        value={isRange ? 'range' : periodText(period)}
        onChange={(event) => pick(event.currentTarget.value)}
      />
      {isRange &&
        (['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="datetime-local"
            aria-label={t(`period.${end}`)}
            value={fieldText(range[end])}
            onChange={(event) => move(end, event.currentTarget.value)}
          />
        ))}
    </>
  );
}
