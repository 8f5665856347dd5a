import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { filterListsQuery, listHealthQuery } from '../../../api/catalogue.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoadingState } from '../../../components/loading-state.tsx';
import { Section } from '../../../components/section.tsx';
import { CustomListsSection } from '../custom-lists/custom-lists-section.tsx';
import { withSwitched } from '../draft/toggle-entry.ts';
import { useEditor } from '../draft/use-editor.ts';
import { SettingSwitch } from '../sections/setting-switch.tsx';
import { ListRow } from './list-row.tsx';
import { findLists, shownLists, type Wanted } from './search-lists.ts';

const FEW = 25;
const categories: readonly Wanted['category'][] = ['ALL', 'CHOSEN', 'GENERAL', 'SECURITY', 'REGIONAL', 'OTHER'];

export function ListsSection() {
  const { t } = useTranslation('servers');
  const { settings, change, mayChange, errorOf } = useEditor();
  const { enabled } = settings.filter_lists_settings;
  const error = errorOf('filter_lists_settings.filter_list');
  return (
    <>
      <CustomListsSection />
      <Section title={t('list.title')} text={t('list.text')}>
        <SettingSwitch
          label={t('list.enabled')}
          isOn={enabled}
          isDisabled={!mayChange}
          onChange={(isOn) => change({ filter_lists_settings: { enabled: isOn } })}
        />
        {error !== undefined && <Text c="var(--mantine-color-error)">{error}</Text>}
        <Lists />
      </Section>
    </>
  );
}

function Lists() {
  const { t } = useTranslation('servers');
  const { server, settings, change, mayChange } = useEditor();
  const lists = useQuery(filterListsQuery);
  const health = useQuery(listHealthQuery);
  const [wanted, setWanted] = useState<Wanted>({ text: '', category: 'ALL' });
  const [shown, setShown] = useState(FEW);
  if (lists.isPending) return <LoadingState />;
  if (!lists.data) return <ErrorState error={lists.error} retry={lists.refetch} />;
  const { filter_list: chosen } = settings.filter_lists_settings;
  const before = server.settings.filter_lists_settings.filter_list;
  const on = new Set(chosen.filter(({ enabled }) => enabled).map(({ filter_id }) => filter_id));
  // What is saved comes first; a list that is switched now stays where it is.
  const first = new Set(before.map(({ filter_id }) => filter_id));
  const all = shownLists(lists.data, health.data ?? [], chosen);
  const ordered = [...all.filter(({ id }) => first.has(id)), ...all.filter(({ id }) => !first.has(id))];
  const found = findLists(ordered, (id) => on.has(id), wanted);
  const switchList = (filter_id: string, enabled: boolean): void => {
    const entry = { filter_id, enabled };
    const filter_list = withSwitched(chosen, before, entry, (one, other) => one.filter_id === other.filter_id);
    change({ filter_lists_settings: { filter_list } });
  };
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <TextInput
          type="search"
          flex={1}
          miw={180}
          label={t('list.search')}
          leftSection={<IconSearch size={16} />}
          value={wanted.text}
          onChange={(event) => setWanted({ ...wanted, text: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('list.category')}
          value={wanted.category}
          data={categories.map((value) => ({ value, label: t(`list.categories.${value}`) }))}
          onChange={(event) => setWanted({ ...wanted, category: event.currentTarget.value as Wanted['category'] })}
        />
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {t('list.count', { count: found.length, chosen: on.size })}
      </Text>
      {found.length === 0 && <Text>{t('list.noneFound')}</Text>}
      <Stack gap={0}>
        {found.slice(0, shown).map((list) => (
          <ListRow
            key={list.id}
            list={list}
            isOn={on.has(list.id)}
            isDisabled={!mayChange}
            onChange={(isOn) => switchList(list.id, isOn)}
          />
        ))}
      </Stack>
      {found.length > shown && (
        <Group justify="center">
          <Button variant="default" onClick={() => setShown(found.length)}>
            {t('list.more', { count: found.length - shown })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
