import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertInlineSvg } from '../../../test/support/domain/inline-svg.ts';
import { webServiceEntry } from './catalogue-entries.ts';
import { checkEntries } from './check-entries.ts';
import { serviceIcons } from './service-icons.ts';
import { type WebService, webServices } from './web-service.ts';
import { serviceGroups } from './web-services.ts';

const services = webServices();
const asEntry = ({ id, name, group, domains }: WebService) => ({ id, name, group, domains });

const owners = new Map<string, string[]>();
for (const { id, domains } of services)
  for (const domain of domains) owners.set(domain, [...(owners.get(domain) ?? []), id]);

/** Domains intentionally listed for several services: blocking one of them blocks the domain. */
const sharedDomains = [
  'battle.net',
  'blizzard.com',
  'leagueoflegends.com',
  'm.me',
  'messenger.com',
  'origin.com',
  'playvalorant.com',
  'primevideo.com',
  'skype.com',
  'threads.com',
  'threads.net',
];

test('our services pass the check that services of an operator pass', () => {
  assert.deepEqual(checkEntries(services.map(asEntry), 'services', webServiceEntry), []);
});

test('there are many services, and some of every group', () => {
  assert.ok(services.length >= 150, String(services.length));
  for (const group of serviceGroups)
    assert.ok(
      services.some((service) => service.group === group),
      group,
    );
});

test('the ids that clients already know are there', () => {
  const ids = new Set(services.map(({ id }) => id));
  for (const id of ['9gag', '500px', '4chan', 'tiktok', 'youtube', 'facebook', 'icloud_private_relay'])
    assert.ok(ids.has(id), id);
});

test('no two services have the same id or name', () => {
  for (const member of ['id', 'name'] as const)
    assert.equal(new Set(services.map((service) => service[member].toLowerCase())).size, services.length);
});

test('domains belong to one service, except those listed here', () => {
  const inTwo = [...owners].filter(([, ids]) => ids.length > 1).map(([domain]) => domain);
  assert.deepEqual(inTwo.sort(), [...sharedDomains].sort());
});

test('no service names a domain twice, or one that another of its domains covers', () => {
  for (const { id, domains } of services) {
    const covered = domains.filter((domain, at) =>
      domains.some((other, otherAt) => at !== otherAt && (domain === other || domain.endsWith(`.${other}`))),
    );
    assert.deepEqual(covered, [], id);
  }
});

test('every service has a picture that can be put into a page as it is', () => {
  for (const { iconSvg } of services) assertInlineSvg(iconSvg);
});

test('services with a known icon show it, the others their initials', () => {
  const icon = (id: string): string => services.find((service) => service.id === id)!.iconSvg;
  assert.ok(icon('youtube').includes(serviceIcons['youtube']!));
  assert.equal(serviceIcons['amazon'], undefined);
  assert.match(icon('amazon'), /stroke="currentColor"/);
});

test('no icon is kept that no service shows', () => {
  const ids = new Set(services.map(({ id }) => id));
  assert.deepEqual(
    Object.keys(serviceIcons).filter((id) => !ids.has(id)),
    [],
  );
});
