import { Text, TextInput } from '@mantine/core';
import {
  type Icon,
  IconAdjustments,
  IconDevices,
  IconFileText,
  IconListSearch,
  IconSearch,
  IconShieldCog,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../components/dialog.tsx';
import classes from './find-dialog.module.css';
import type { Entry } from './find-entries.ts';
import { useEntries } from './use-entries.ts';

const icons: Readonly<Record<Entry['kind'], Icon>> = {
  page: IconFileText,
  device: IconDevices,
  profile: IconShieldCog,
  section: IconAdjustments,
  domain: IconListSearch,
};
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Searches pages, settings, profiles, devices and domains. */
export function FindDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('find.title')} size="lg" yOffset="10vh" centered={false}>
      <Find onClose={onClose} />
    </Dialog>
  );
}

function Find({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const id = useId();
  const [query, setQuery] = useState('');
  const [position, setPosition] = useState(0);
  const entries = useEntries(query);
  const active = entries[Math.min(position, entries.length - 1)];
  const open = (entry: Entry): void => {
    onClose();
    void navigate({ href: entry.href });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (event.key === 'Enter' && active) open(active);
    if (step === undefined || entries.length === 0) return;
    event.preventDefault();
    const next = (entries.indexOf(active!) + step + entries.length) % entries.length;
    setPosition(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={active && `${id}-${entries.indexOf(active)}`}
        aria-label={t('find.title')}
        placeholder={t('find.hint')}
        leftSection={<IconSearch size={16} />}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setPosition(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label={t('find.title')} className={classes['list']}>
        {entries.map((entry, index) => {
          const EntryIcon = icons[entry.kind];
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
            <div
              key={entry.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={entry === active}
              className={classes['entry']}
              onClick={() => open(entry)}
            >
              <EntryIcon size={17} stroke={1.6} aria-hidden />
              <bdi className={classes['label']}>{entry.label}</bdi>
              <span className={classes['kind']}>
                {entry.kind === 'section' ? <bdi>{entry.detail}</bdi> : t(`find.kinds.${entry.kind}`)}
              </span>
            </div>
          );
        })}
      </div>
      {entries.length === 0 && (
        <Text c="dimmed" size="sm" mt="sm" role="status">
          {t('find.none')}
        </Text>
      )}
    </>
  );
}
