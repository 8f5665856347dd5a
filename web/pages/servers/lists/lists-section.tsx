import { Box, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { filterListsQuery, listHealthQuery } from '../../../api/catalogue.ts';
import type { ListHealth } from '../../../api/wire.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { CustomListsSection } from '../custom-lists/custom-lists-section.tsx';
import { toggleEntry } from '../draft/toggle-entry.ts';
import { useEditor } from '../draft/use-editor.ts';
import { SettingSwitch } from '../sections/setting-switch.tsx';
import { ListRow } from './list-row.tsx';
import { PresetButtons } from './preset-buttons.tsx';
import { containedIn, withPreset } from './presets.ts';
import { type ListSearch, searchLists, toListItems } from './search-lists.ts';
import { useListDescriptions } from './use-list-descriptions.ts';

const INITIAL_COUNT = 10;
// More often while a list is downloaded, so that its size appears at once.
const DOWNLOADING_MS = 2000;
const IDLE_MS = 15_000;
const categories: readonly ListSearch['category'][] = ['ALL', 'CHOSEN', 'GENERAL', 'SECURITY', 'REGIONAL', 'OTHER'];

const isDownloading =
  (ids: ReadonlySet<string>) =>
  ({ filter_id, time_updated, problem }: ListHealth): boolean =>
    ids.has(filter_id) && time_updated === undefined && problem === undefined;

export function ListsSection() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit, errorOf } = useEditor();
  const { enabled } = settings.filter_lists_settings;
  const error = errorOf('filter_lists_settings.filter_list');
  return (
    <>
      <Section title={t('list.title')} text={t('list.text')}>
        <SettingSwitch
          label={t('list.enabled')}
          isOn={enabled}
          isDisabled={!canEdit}
          onChange={(isOn) => change({ filter_lists_settings: { enabled: isOn } })}
        />
        {error !== undefined && <Text c="var(--mantine-color-error)">{error}</Text>}
        <Lists />
      </Section>
      <CustomListsSection />
    </>
  );
}

function Lists() {
  const { t } = useTranslation('servers');
  const { server, settings, change, canEdit } = useEditor();
  const { inLanguage, isLoading } = useListDescriptions();
  const lists = useQuery(filterListsQuery);
  const saved = server.settings.filter_lists_settings.filter_list;
  const savedEnabledIds = new Set(saved.filter(({ enabled }) => enabled).map(({ filter_id }) => filter_id));
  const health = useQuery({
    ...listHealthQuery,
    refetchInterval: ({ state: { data } }) => (data?.some(isDownloading(savedEnabledIds)) ? DOWNLOADING_MS : IDLE_MS),
  });
  const [search, setSearch] = useState<ListSearch>({ text: '', category: 'ALL' });
  const [limit, setLimit] = useState(INITIAL_COUNT);
  // As high as the window: the custom lists below would move.
  if (lists.isPending || isLoading)
    return (
      <Box mih="100dvh">
        <LoadingState />
      </Box>
    );
  if (!lists.data) return <ErrorState error={lists.error} retry={lists.refetch} />;
  const { filter_list: selected } = settings.filter_lists_settings;
  const enabledIds = new Set(selected.filter(({ enabled }) => enabled).map(({ filter_id }) => filter_id));
  // Saved lists come first; toggling does not reorder the list.
  const savedIds = new Set(saved.map(({ filter_id }) => filter_id));
  const all = toListItems(lists.data, health.data ?? [], selected).map((list) => inLanguage(list));
  const ordered = [...all.filter(({ id }) => savedIds.has(id)), ...all.filter(({ id }) => !savedIds.has(id))];
  const matching = searchLists(ordered, (id) => enabledIds.has(id), search);
  const nameOf = new Map(all.map(({ id, name }) => [id, name]));
  const switchList = (filter_id: string, enabled: boolean): void => {
    const entry = { filter_id, enabled };
    const filter_list = toggleEntry(selected, saved, entry, (one, other) => one.filter_id === other.filter_id);
    change({ filter_lists_settings: { filter_list } });
  };
  return (
    <Stack gap="sm">
      <PresetButtons
        lists={all}
        enabled={enabledIds}
        isDisabled={!canEdit}
        onChoose={(name) => change({ filter_lists_settings: { enabled: true, filter_list: withPreset(name, saved) } })}
      />
      <Group align="flex-end" gap="sm">
        <TextInput
          type="search"
          flex={1}
          miw={180}
          label={t('list.search')}
          leftSection={<IconSearch size={16} />}
          value={search.text}
          onChange={(event) => setSearch({ ...search, text: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('list.category')}
          value={search.category}
          data={categories.map((value) => ({ value, label: t(`list.categories.${value}`) }))}
          onChange={(event) => setSearch({ ...search, category: event.currentTarget.value as ListSearch['category'] })}
        />
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {t('list.count', { count: matching.length, chosen: enabledIds.size })}
      </Text>
      {matching.length === 0 && <Text>{t('list.noneFound')}</Text>}
      <Stack gap={0}>
        {matching.slice(0, limit).map((list) => (
          <ListRow
            key={list.id}
            list={list}
            isOn={enabledIds.has(list.id)}
            isSaved={savedEnabledIds.has(list.id)}
            containing={enabledIds.has(list.id) ? nameOf.get(containedIn(list.id, enabledIds) ?? '') : undefined}
            isDisabled={!canEdit}
            onChange={(isOn) => switchList(list.id, isOn)}
          />
        ))}
      </Stack>
      {matching.length > limit && (
        <Group justify="center">
          <Button variant="default" onClick={() => setLimit(matching.length)}>
            {t('list.more', { count: matching.length - limit })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
