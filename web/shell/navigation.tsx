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
import classes from './shell.module.css';

const places = [
  { to: '/', words: 'nav.dashboard', icon: IconGauge },
  { to: '/devices', words: 'nav.devices', icon: IconDevices },
  { to: '/servers', words: 'nav.servers', icon: IconServer2 },
  { to: '/log', words: 'nav.log', icon: IconListSearch },
  { to: '/statistics', words: 'nav.statistics', icon: IconChartBar },
  { to: '/compiler', words: 'nav.compiler', icon: IconFileStack },
  { to: '/account/{-$section}', words: 'nav.account', icon: IconUserCircle },
  { to: '/system', words: 'nav.system', icon: IconSettings },
] as const;

const firstOf = (path: string): string => path.split('/')[1] ?? '';

/** To connect a device is about devices, wherever its page lives. */
const isBelow = (path: string, place: string): boolean =>
  firstOf(path === '/connect' ? '/devices' : path) === firstOf(place);

export function Navigation({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return places.map(({ to, words, icon: Icon }) => (
    <Link
      key={to}
      to={to}
      className={classes['place']}
      aria-current={isBelow(pathname, to) ? 'page' : undefined}
      onClick={onLeave}
    >
      <Icon size={19} stroke={1.6} aria-hidden />
      {t(words)}
    </Link>
  ));
}
