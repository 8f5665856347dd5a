import { Checkbox, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { filteringCategoriesQuery } from '../../../api/catalogue.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { useCategoryName } from '../../../components/use-category-name.ts';
import { toggleEntry } from '../draft/toggle-entry.ts';
import { useEditor } from '../draft/use-editor.ts';
import classes from './parental.module.css';

export function BlockedCategories() {
  const { t } = useTranslation('servers');
  const { data, isPending, error, refetch } = useQuery(filteringCategoriesQuery);
  return (
    <Section title={t('categories.title')} text={t('categories.text')}>
      {isPending && <LoadingState />}
      {!isPending && !data && <ErrorState error={error} retry={refetch} />}
      {data && <Categories ids={data.map(({ id }) => id)} />}
    </Section>
  );
}

function Categories({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation('servers');
  const nameOf = useCategoryName();
  const { server, settings, change, canEdit, errorOf } = useEditor();
  const { blocked_filtering_categories: selected, enabled } = settings.parental_control_settings;
  const blocked = new Set(selected.filter((entry) => entry.enabled).map(({ id }) => id));
  const saved = server.settings.parental_control_settings.blocked_filtering_categories;
  const block = (id: string, isBlocked: boolean): void => {
    const entry = { id, enabled: isBlocked };
    const blocked_filtering_categories = toggleEntry(selected, saved, entry, (one, other) => one.id === other.id);
    change({ parental_control_settings: { blocked_filtering_categories } });
  };
  const error = errorOf('parental_control_settings.blocked_filtering_categories');
  return (
    <>
      {error !== undefined && <Text c="var(--mantine-color-error)">{error}</Text>}
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3, xl: 4 }} spacing="xs" role="group" aria-label={t('categories.title')}>
        {ids.map((id) => (
          <Checkbox.Card
            key={id}
            className={classes['service']}
            checked={blocked.has(id)}
            disabled={!canEdit || !enabled}
            aria-label={t('services.block', { name: nameOf(id) })}
            onChange={(isBlocked) => block(id, isBlocked)}
          >
            <Text size="sm" span flex={1} miw={0}>
              {nameOf(id)}
            </Text>
            <Checkbox.Indicator size="xs" />
          </Checkbox.Card>
        ))}
      </SimpleGrid>
    </>
  );
}
