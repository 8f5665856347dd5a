import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const schemes = [
  { id: 'light', icon: IconSun },
  { id: 'dark', icon: IconMoon },
  { id: 'auto', icon: IconDeviceDesktop },
] as const;

export function ColourSchemeSwitch() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon: Chosen } = schemes.find(({ id }) => id === colorScheme) ?? schemes[2];
  return (
    <Menu position="top-start" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('scheme.label')}>
          <Chosen size={19} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {schemes.map(({ id, icon: Icon }) => (
          <Menu.Item key={id} leftSection={<Icon size={17} stroke={1.6} />} onClick={() => setColorScheme(id)}>
            {t(`scheme.${id}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
