/** Pages of the navigation. Groups are separated by a gap. */
export const navigationGroups = [
  [
    { to: '/', label: 'nav.dashboard' },
    { to: '/statistics', label: 'nav.statistics' },
    { to: '/log', label: 'nav.log' },
  ],
  [
    { to: '/profiles', label: 'nav.servers' },
    { to: '/devices', label: 'nav.devices' },
    { to: '/clients', label: 'nav.clients' },
    { to: '/network', label: 'nav.network' },
    { to: '/local-names', label: 'nav.localNames' },
  ],
  [
    { to: '/compiler', label: 'nav.compiler' },
    { to: '/account/{-$section}', label: 'nav.account' },
    { to: '/system', label: 'nav.system' },
  ],
] as const;

export type NavigationLabel = (typeof navigationGroups)[number][number]['label'];

const firstSegment = (path: string): string => path.split('/')[1] ?? '';

/** /connect belongs to the Devices entry. */
export const isActive = (path: string, target: string): boolean =>
  firstSegment(path === '/connect' ? '/devices' : path) === firstSegment(target);
