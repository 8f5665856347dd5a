import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../components/format.tsx';
import classes from './preset-buttons.module.css';
import type { PresetName } from './presets.ts';
import { isPreset, presetNames, presets } from './presets.ts';
import type { ListItem } from './search-lists.ts';

type Props = {
  readonly lists: readonly ListItem[];
  readonly enabled: ReadonlySet<string>;
  readonly isDisabled: boolean;
  readonly onChoose: (name: PresetName) => void;
};

/** Chooses one of the prepared sets of lists, with the number of rules. */
export function PresetButtons({ lists, enabled, isDisabled, onChoose }: Props) {
  const { t } = useTranslation('servers');
  const { short } = useFormat();
  const byId = new Map(lists.map((list) => [list.id, list]));
  // The operator can replace the catalogue.
  const offered = presetNames.filter((name) => presets[name].every((id) => byId.has(id)));
  if (offered.length === 0) return null;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t('presets.label')}
      </Text>
      <div className={classes['presets']}>
        {offered.map((name) => {
          const isOn = isPreset(name, enabled);
          const rules = presets[name].reduce((sum, id) => sum + (byId.get(id)?.rules ?? 0), 0);
          return (
            <Button
              key={name}
              size="xs"
              variant={isOn ? 'filled' : 'default'}
              aria-pressed={isOn}
              disabled={isDisabled}
              title={presets[name].map((id) => byId.get(id)?.name).join(', ')}
              onClick={() => onChoose(name)}
            >
              {t(`presets.${name}`)} · {t('presets.rules', { rules: short(rules) })}
            </Button>
          );
        })}
      </div>
      <Text size="xs" c="dimmed">
        {t('presets.text')}
      </Text>
    </Stack>
  );
}
