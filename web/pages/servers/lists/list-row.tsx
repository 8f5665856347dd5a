import { Anchor, Badge, Group, Stack, Switch, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../components/format.tsx';
import { ListChanges } from './list-changes.tsx';
import { ListHealthSummary } from './list-health.tsx';
import { ListHits } from './list-hits.tsx';
import classes from './list-row.module.css';
import { ListUnique } from './list-unique.tsx';
import type { ListItem } from './search-lists.ts';

type Props = {
  readonly list: ListItem;
  readonly isOn: boolean;
  /** Enabled in the saved settings: the service downloads it. */
  readonly isSaved: boolean;
  /** Name of an enabled list that contains this one. */
  readonly containing: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (isOn: boolean) => void;
};

const onlyDate = { dateStyle: 'medium' } as const;

export function ListRow({ list, isOn, isSaved, containing, isDisabled, onChange }: Props) {
  const { t } = useTranslation('servers');
  const id = useId();
  const { number, time } = useFormat();
  const { name, description, descriptionLanguage, homepage, tags, category, rules, updated, health } = list;
  const languages = tags.flatMap((tag) => (tag.startsWith('lang:') ? [tag.slice(5)] : []));
  return (
    <div className={classes['row']}>
      <Switch
        checked={isOn}
        disabled={isDisabled}
        aria-label={name}
        aria-describedby={id}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Stack gap={2} miw={0} flex={1}>
        <Group gap="xs">
          <Text fw={500}>
            <bdi>{name}</bdi>
          </Text>
          <Badge size="sm" variant="default">
            {t(`list.categories.${category}`)}
          </Badge>
          {languages.map((language) => (
            <Badge key={language} size="sm" variant="default">
              {language}
            </Badge>
          ))}
          {tags.includes('problematic') && (
            <Badge size="sm" variant="dot" color="orange">
              {t('list.problematic')}
            </Badge>
          )}
          {homepage !== undefined && /^https?:/.test(homepage) && (
            <Anchor
              size="sm"
              href={homepage}
              target="_blank"
              rel="noreferrer"
              aria-label={t('list.homepage', { name })}
            >
              <IconExternalLink size={15} aria-hidden />
            </Anchor>
          )}
        </Group>
        <Text size="sm" c="dimmed" id={id} lang={descriptionLanguage}>
          {description}
        </Text>
        {health?.time_updated === undefined && !isSaved && rules !== undefined ? (
          <Text size="sm" c="dimmed">
            {t('list.size', { formatted: number(rules) })}
            {updated !== undefined && ` · ${t('list.version', { date: time(Date.parse(updated), onlyDate) })}`}
          </Text>
        ) : (
          <ListHealthSummary health={health} isOn={isSaved} isUnsaved={isOn && !isSaved} />
        )}
        {isSaved && health && <ListChanges kind="catalogue" id={list.id} name={name} health={health} />}
        {isSaved && <ListHits list={list.id} />}
        {isSaved && <ListUnique list={list.id} />}
        {containing !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)">
            {t('list.contained', { name: containing })}
          </Text>
        )}
      </Stack>
    </div>
  );
}
