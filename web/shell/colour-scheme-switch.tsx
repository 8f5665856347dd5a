import { useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CompactSelect } from './compact-select.tsx';

const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop };
const schemes = ['light', 'dark', 'auto'] as const;

export function ColourSchemeSwitch() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Chosen = icons[colorScheme];
  return (
    <CompactSelect
      label={t('scheme.label')}
      icon={<Chosen size={17} stroke={1.6} aria-hidden />}
      value={colorScheme}
      options={schemes.map((id) => ({ value: id, label: t(`scheme.${id}`) }))}
      onChange={setColorScheme}
      isIconEnough
    />
  );
}
