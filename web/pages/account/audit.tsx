import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { auditQuery } from '../../api/account.ts';
import type { AuditEntry } from '../../api/account-wire.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { Section } from '../../components/section.tsx';
import classes from './audit.module.css';
import { groupOf } from './audit-actions.ts';
import { AuditRow } from './audit-row.tsx';
import { useAuditNames } from './use-audit-fields.ts';
import { useAuditText } from './use-audit-text.ts';

type Filters = { readonly by: string; readonly group: string; readonly search: string };

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

export function Audit() {
  const { t } = useTranslation('account');
  const auditText = useAuditText();
  const nameOf = useSubjectName();
  const [filters, setFilters] = useState<Filters>({ by: '', group: '', search: '' });
  const audit = useInfiniteQuery(auditQuery);
  // Matches may be on pages that are not loaded yet.
  const isFiltered = Object.values(filters).some((text) => text.trim() !== '');
  const { hasNextPage, isFetching, isError, fetchNextPage } = audit;
  useEffect(() => {
    if (isFiltered && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isFiltered, hasNextPage, isFetching, isError, fetchNextPage]);
  if (audit.isPending || !audit.data)
    return (
      <Section title={t('audit.title')}>
        {audit.isPending ? <LoadingState /> : <ErrorState error={audit.error} retry={audit.refetch} />}
      </Section>
    );
  const entries = audit.data.pages.flatMap(({ items }) => items);
  const query = filters.search.trim().toLocaleLowerCase();
  const textOf = (entry: AuditEntry): string =>
    [
      auditText.action(entry.action),
      entry.by,
      nameOf(entry),
      JSON.stringify([entry.subject, entry.before, entry.after]),
    ]
      .join(' ')
      .toLocaleLowerCase();
  const matching = entries.filter(
    (entry) =>
      (filters.by === '' || entry.by === filters.by) &&
      (filters.group === '' || groupOf(entry.action) === filters.group) &&
      textOf(entry).includes(query),
  );
  return (
    <Section title={t('audit.title')} text={t('audit.text')}>
      <AuditFilters entries={entries} value={filters} onChange={setFilters} />
      {matching.length === 0 && <Text c="dimmed">{t('audit.none')}</Text>}
      <Stack component="ol" gap={0} m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('audit.title')}>
        {matching.map((entry) => (
          <AuditRow key={entry.id} entry={entry} name={nameOf(entry)} />
        ))}
      </Stack>
      <Group>
        <Text size="sm" c="dimmed" role="status">
          {t('audit.count', { found: matching.length, count: entries.length })}
        </Text>
        {audit.hasNextPage && (
          <Button
            variant="default"
            size="sm"
            loading={audit.isFetchingNextPage}
            onClick={() => void audit.fetchNextPage()}
          >
            {t('audit.more')}
          </Button>
        )}
      </Group>
    </Section>
  );
}

type FilterProps = {
  readonly entries: readonly AuditEntry[];
  readonly value: Filters;
  readonly onChange: (value: Filters) => void;
};

function AuditFilters({ entries, value, onChange }: FilterProps) {
  const { t } = useTranslation('account');
  const auditText = useAuditText();
  const all = { value: '', label: t('audit.all') };
  return (
    <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm" maw={620}>
      <NativeSelect
        label={t('audit.by')}
        value={value.by}
        data={[all, ...unique(entries.map(({ by }) => by))]}
        onChange={(event) => onChange({ ...value, by: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('audit.what')}
        value={value.group}
        data={[
          all,
          ...unique(entries.map(({ action }) => groupOf(action))).map((group) => ({
            value: group,
            label: auditText.group(group),
          })),
        ]}
        onChange={(event) => onChange({ ...value, group: event.currentTarget.value })}
      />
      <TextInput
        type="search"
        label={t('audit.search')}
        leftSection={<IconSearch size={16} />}
        value={value.search}
        onChange={(event) => onChange({ ...value, search: event.currentTarget.value })}
        className={classes['search'] ?? ''}
      />
    </SimpleGrid>
  );
}

/** Name of the changed object, from the recorded values or from the current data. */
function useSubjectName(): (entry: AuditEntry) => string {
  const names = useAuditNames();
  return ({ subject, before, after }) => nameIn(after) ?? nameIn(before) ?? names.get(subject ?? '') ?? '';
}

function nameIn(side: unknown): string | undefined {
  if (typeof side !== 'object' || side === null) return undefined;
  const { name, email } = side as { readonly name?: unknown; readonly email?: unknown };
  return [name, email].find((text) => typeof text === 'string');
}
