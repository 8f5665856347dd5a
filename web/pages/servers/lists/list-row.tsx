import { Anchor, Badge, Group, Stack, Switch, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ListHealthSummary } from './list-health.tsx';
import classes from './list-row.module.css';
import type { ListItem } from './search-lists.ts';

type Props = {
  readonly list: ListItem;
  readonly isOn: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (isOn: boolean) => void;
};

export function ListRow({ list, isOn, isDisabled, onChange }: Props) {
  const { t } = useTranslation('servers');
  const id = useId();
  const { name, description, homepage, tags, category, health } = list;
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
        <Text size="sm" c="dimmed" id={id}>
          {description}
        </Text>
        <ListHealthSummary health={health} isOn={isOn} />
      </Stack>
    </div>
  );
}
