import { Button, Group, Pill } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { filtersOf, hasFilters, type LogSearch, noFilters } from './log-search.ts';
import type { FilterField } from './typed-filters.ts';
import { type FilterOptions, filterFields } from './use-filter-options.ts';

type Props = {
  readonly search: LogSearch;
  readonly options: FilterOptions;
  readonly onChange: (change: LogSearch) => void;
};

const quick = {
  blocked: 'REQUEST_BLOCKED,RESPONSE_BLOCKED',
  allowed: 'REQUEST_ALLOWED,RESPONSE_ALLOWED',
  rewritten: 'MODIFIED',
} as const;
const quickNames = ['blocked', 'allowed', 'rewritten'] as const;

/** Results at one tap, and the active filters with names; each can be removed. */
export function FilterChips({ search, options, onChange }: Props) {
  const { t } = useTranslation('log');
  const filters = filtersOf(search);
  const isQuick = quickNames.some((name) => quick[name] === search.statuses);
  const labelOf = (field: FilterField, value: string): string =>
    options[field].find((option) => option.value === value)?.label ?? value;
  const active = filterFields
    .filter((field) => field !== 'statuses' || !isQuick)
    .flatMap((field) => filters[field].map((value) => ({ field, value, label: labelOf(field, value) })));
  return (
    <Group gap={6} mb="sm">
      {quickNames.map((name) => {
        const isOn = search.statuses === quick[name];
        return (
          <Button
            key={name}
            size="compact-sm"
            radius="xl"
            variant={isOn ? 'filled' : 'default'}
            aria-pressed={isOn}
            onClick={() => onChange({ statuses: isOn ? '' : quick[name] })}
          >
            {t(`filters.quick.${name}`)}
          </Button>
        );
      })}
      {active.map(({ field, value, label }) => (
        <Pill
          key={`${field} ${value}`}
          size="md"
          withRemoveButton
          maw="100%"
          onRemove={() => onChange({ [field]: filters[field].filter((other) => other !== value).join(',') })}
          removeButtonProps={{ 'aria-label': t('filters.remove', { name: label }), tabIndex: 0, 'aria-hidden': false }}
        >
          {t(`filters.${field}`)}: <bdi>{label}</bdi>
        </Pill>
      ))}
      {hasFilters(search) && (
        <Button size="compact-sm" variant="subtle" onClick={() => onChange(noFilters)}>
          {t('filters.clear')}
        </Button>
      )}
    </Group>
  );
}
