import {
  IconAddressBook,
  IconChartBar,
  IconDevices,
  IconDevices2,
  IconFileStack,
  IconGauge,
  IconListSearch,
  IconNetwork,
  IconSettings,
  IconShieldCog,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './shell.module.css';

/** Groups are separated by a gap. */
export const navigationGroups = [
  [
    { to: '/', label: 'nav.dashboard', icon: IconGauge },
    { to: '/statistics', label: 'nav.statistics', icon: IconChartBar },
    { to: '/log', label: 'nav.log', icon: IconListSearch },
  ],
  [
    { to: '/profiles', label: 'nav.servers', icon: IconShieldCog },
    { to: '/devices', label: 'nav.devices', icon: IconDevices },
    { to: '/clients', label: 'nav.clients', icon: IconDevices2 },
    { to: '/network', label: 'nav.network', icon: IconNetwork },
    { to: '/local-names', label: 'nav.localNames', icon: IconAddressBook },
  ],
  [
    { to: '/compiler', label: 'nav.compiler', icon: IconFileStack },
    { to: '/account/{-$section}', label: 'nav.account', icon: IconUserCircle },
    { to: '/system', label: 'nav.system', icon: IconSettings },
  ],
] as const;

const firstSegment = (path: string): string => path.split('/')[1] ?? '';

/** /connect belongs to the Devices entry. */
const isActive = (path: string, target: string): boolean =>
  firstSegment(path === '/connect' ? '/devices' : path) === firstSegment(target);

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return navigationGroups.map((items) => (
    <div key={items[0].to} className={classes['group']}>
      {items.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes['item']}
          aria-current={isActive(pathname, to) ? 'page' : undefined}
          onClick={onNavigate}
        >
          <Icon size={19} stroke={1.6} aria-hidden />
          {t(label)}
        </Link>
      ))}
    </div>
  ));
}
