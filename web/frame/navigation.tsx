import { NavLink, Stack } from '@mantine/core';
import {
  IconChartBar,
  IconDevices,
  IconFileStack,
  IconGauge,
  IconListSearch,
  IconServer2,
  IconSettings,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

const places = [
  { to: '/', words: 'nav.dashboard', icon: IconGauge },
  { to: '/devices', words: 'nav.devices', icon: IconDevices },
  { to: '/servers', words: 'nav.servers', icon: IconServer2 },
  { to: '/log', words: 'nav.log', icon: IconListSearch },
  { to: '/statistics', words: 'nav.statistics', icon: IconChartBar },
  { to: '/compiler', words: 'nav.compiler', icon: IconFileStack },
  { to: '/account', words: 'nav.account', icon: IconUserCircle },
  { to: '/system', words: 'nav.system', icon: IconSettings },
] as const;

const isBelow = (path: string, place: string): boolean =>
  place === '/' ? path === '/' : path === place || path.startsWith(`${place}/`);

export function Navigation({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <Stack gap={2}>
      {places.map(({ to, words, icon: Icon }) => {
        const isHere = isBelow(pathname, to);
        return (
          <NavLink
            key={to}
            renderRoot={(props) => <Link to={to} {...props} />}
            label={t(words)}
            leftSection={<Icon size={19} stroke={1.6} aria-hidden />}
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
            onClick={onLeave}
          />
        );
      })}
    </Stack>
  );
}
