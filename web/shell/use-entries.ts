import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { devicesQuery } from '../api/devices.ts';
import { serversQuery } from '../api/servers.ts';
import { sectionNames } from '../pages/servers/sections/sections.ts';
import { type Entry, findEntries, isDomainLike } from './find-entries.ts';
import { navigationGroups } from './navigation-groups.ts';
import { accountSettings, profileSettings, systemSettings } from './setting-entries.ts';

/** Entries for a query: pages, devices, profiles, settings, and the log of a domain. */
export function useEntries(query: string): readonly Entry[] {
  const { t } = useTranslation(['shell', 'servers', 'account', 'system']);
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
      ...profileSettings.map(
        ([key, section, words]): Entry => ({
          id: `setting ${id} ${key}`,
          kind: 'section',
          label: t(`servers:${key}`),
          detail: name,
          words: `${words} ${t(`servers:sections.${section}`)}`,
          href: `/profiles/${id}/${section}`,
        }),
      ),
    ]);
    const ofAccount = accountSettings.map(
      ([key, section, words]): Entry => ({
        id: `account ${key}`,
        kind: 'section',
        label: t(`account:${key}`),
        detail: t('nav.account'),
        words,
        href: section === '' ? '/account' : `/account/${section}`,
      }),
    );
    const ofSystem = systemSettings.map(
      ([key, words]): Entry => ({
        id: `system ${key}`,
        kind: 'section',
        label: t(`system:${key}`),
        detail: t('nav.system'),
        words,
        href: '/system',
      }),
    );
    const owned = (devices ?? []).map(
      ({ id, name }): Entry => ({
        id: `device ${id}`,
        kind: 'device',
        label: name,
        identifier: id,
        href: `/devices/${id}`,
      }),
    );
    return [...pages, ...owned, ...profiles, ...ofAccount, ...ofSystem];
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
