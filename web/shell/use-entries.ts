import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../api/devices.ts';
import { serversQuery } from '../api/servers.ts';
import { sectionNames } from '../pages/servers/sections/sections.ts';
import { type Entry, findEntries, isDomainLike } from './find-entries.ts';
import { navigationGroups } from './navigation-groups.ts';

/** Entries for a query: pages, profiles and their sections, devices, and the log of a domain. */
export function useEntries(query: string): readonly Entry[] {
  const { t } = useTranslation(['shell', 'servers']);
  const { data: devices } = useQuery(devicesQuery);
  const { data: servers } = useQuery(serversQuery);
  const entries = useMemo((): readonly Entry[] => {
    const pages = navigationGroups
      .flat()
      .map(({ to, label }): Entry => ({ id: to, kind: 'page', label: t(label), href: to.replace('/{-$section}', '') }));
    const profiles = (servers ?? []).flatMap(({ id, name }): Entry[] => [
      { id: `profile ${id}`, kind: 'profile', label: name, href: `/profiles/${id}` },
      ...sectionNames.map(
        (section): Entry => ({
          id: `section ${id} ${section}`,
          kind: 'section',
          label: t(`servers:sections.${section}`),
          detail: name,
          href: `/profiles/${id}/${section}`,
        }),
      ),
    ]);
    const owned = (devices ?? []).map(
      ({ id, name }): Entry => ({
        id: `device ${id}`,
        kind: 'device',
        label: name,
        detail: id,
        href: `/devices/${id}`,
      }),
    );
    return [...pages, ...owned, ...profiles];
  }, [devices, servers, t]);
  return useMemo(() => {
    const domain = query.trim().toLowerCase();
    const log: Entry = {
      id: 'domain',
      kind: 'domain',
      label: t('find.log', { domain }),
      href: `/log?search=${encodeURIComponent(domain)}`,
    };
    return [...findEntries(entries, query), ...(isDomainLike(domain) ? [log] : [])];
  }, [entries, query, t]);
}
