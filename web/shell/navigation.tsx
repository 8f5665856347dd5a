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
  type TablerIcon,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isActive, type NavigationLabel, navigationGroups } from './navigation-groups.ts';
import classes from './shell.module.css';

const icons: Readonly<Record<NavigationLabel, TablerIcon>> = {
  'nav.dashboard': IconGauge,
  'nav.statistics': IconChartBar,
  'nav.log': IconListSearch,
  'nav.servers': IconShieldCog,
  'nav.devices': IconDevices,
  'nav.clients': IconDevices2,
  'nav.network': IconNetwork,
  'nav.localNames': IconAddressBook,
  'nav.compiler': IconFileStack,
  'nav.account': IconUserCircle,
  'nav.system': IconSettings,
};

export function Navigation({ onNavigate }: { onNavigate: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return navigationGroups.map((items) => (
    <div key={items[0].to} className={classes['group']}>
      {items.map(({ to, label }) => {
        const Icon = icons[label];
        return (
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
        );
      })}
    </div>
  ));
}
