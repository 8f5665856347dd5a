import Type from 'typebox';
import { type Alert, alertsOf } from '../domain/alerts.ts';
import { listsOfCategory } from '../domain/catalogue/filtering-category.ts';
import { hostNameOf } from '../domain/network-client.ts';
import type { ProfileSettings } from '../domain/profile.ts';
import { ok } from '../kit/result.ts';
import { type Operation, query } from './operation.ts';
import { operatorOnly } from './operator.ts';
import { AccountAlert } from './wire/alert.ts';

const enabledIds = (entries: ProfileSettings['filterLists']['lists']): readonly string[] =>
  entries.filter(({ enabled }) => enabled).map(({ id }) => id);

/** Lists of the catalogue and of the account; those behind the switches of safe browsing are reported by the protection state. */
const listsOf = ({ filterLists, parental, own }: ProfileSettings): readonly string[] => [
  ...(filterLists.enabled ? enabledIds(filterLists.lists) : []),
  ...(parental.enabled ? enabledIds(parental.blockedCategories).flatMap(listsOfCategory) : []),
  ...enabledIds(own.customLists),
];

export const alertOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/alerts',
    operationId: 'listAlerts',
    group: 'Protection',
    summary: 'List alerts',
    description:
      'Lists of the account that cannot be updated, devices and network clients that were added in the last 24 hours, and, for the operator of the installation, upstreams that do not respond and certificates that expire within 14 days.',
    reply: Type.Array(AccountAlert),
    responseDescription: 'Alerts, problems first.',
    run: async (store, { caller }, deps) => {
      const { account } = caller;
      const inUse = new Set((await store.profiles.list(account)).flatMap(({ settings }) => listsOf(settings)));
      const devices = await store.devices.list(account);
      const networkClients = (await store.networkClients.list(account)).filter(({ device }) => device === undefined);
      const isOperator = (await operatorOnly(deps, caller)).ok;
      const alerts = alertsOf({
        lists: deps.listHealth().filter(({ id }) => inUse.has(id)),
        installation: isOperator ? (await deps.system()).dns : undefined,
        devices,
        networkClients,
        now: deps.now(),
      });
      const customLists = await store.customLists.list(account);
      const nameOf = ({ code, subject }: Alert): string | undefined => {
        if (code === 'new_device') return devices.find(({ id }) => id === subject)?.name;
        if (code === 'new_network_client') {
          const client = networkClients.find(({ id }) => id === subject);
          return client && (hostNameOf(client.names)?.name ?? client.addresses[0]?.address ?? client.mac);
        }
        return deps.catalogue.lists.get(subject)?.name ?? customLists.find(({ id }) => id === subject)?.name;
      };
      return ok(
        alerts.map((alert) => {
          const name = nameOf(alert);
          const { code, subject, at } = alert;
          return { code, subject, ...(name !== undefined && { name }), time: new Date(at).toISOString() };
        }),
      );
    },
  }),
];
