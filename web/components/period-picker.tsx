import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Period, periodText, rangeOf } from './period.ts';

// Minutes: an hour, a day, a week, 30 days, 90 days.
const offered = [60, 1440, 10080, 43200, 129600] as const;

// As the field wants it: local time without a zone.
const fieldText = (millis: number): string => {
  const date = new Date(millis);
  return new Date(millis - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

export function PeriodPicker({ period, onChange }: { period: Period; onChange: (period: Period) => void }) {
  const { t } = useTranslation('common');
  const range = rangeOf(period, Date.now());
  // An address may hold a length that is not offered here: it is shown from when to when.
  const isRange = period.kind === 'range' || !offered.some((minutes) => minutes === period.minutes);
  const data = [
    ...offered.map((minutes) => ({ value: `${minutes}m`, label: t(`period.${minutes}`) })),
    { value: 'range', label: t('period.range') },
  ];
  const pick = (value: string): void =>
    onChange(value === 'range' ? { kind: 'range', ...range } : { kind: 'last', minutes: Number.parseInt(value, 10) });
  const move = (end: 'from' | 'to', text: string): void => {
    const next = { ...range, [end]: new Date(text).getTime() };
    if (next.from < next.to) onChange({ kind: 'range', ...next });
  };
  return (
    <Group gap="xs" align="flex-end">
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
    </Group>
  );
}
