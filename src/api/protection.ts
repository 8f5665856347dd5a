import Type from 'typebox';
import type { Device } from '../domain/device.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Profile } from '../domain/profile.ts';
import {
  accountProtection,
  deviceProtection,
  type Protection as State,
  serverProtection,
} from '../domain/protection-state.ts';
import { DAY_MS } from '../kit/durations.ts';
import { ok } from '../kit/result.ts';
import { findAccount } from '../operations/find-account.ts';
import type { Deps } from './deps.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { type Operation, query } from './operation.ts';
import { DeviceProtection, Protection, protectionToWire } from './wire/protection.ts';

const group = 'Protection';
const SEEN_MS = 30 * DAY_MS;
/** A statistic has at most this many rows. */
const DEVICES_AT_ONCE = 1000;

async function statesOf(profiles: readonly Profile[], deps: Deps): Promise<ReadonlyMap<string, State>> {
  const loaded = await deps.loadedFilters(profiles.map(({ id }) => id));
  const now = deps.now();
  return new Map(
    profiles.map(({ id, settings }) => [id, serverProtection({ settings, loaded: loaded.get(id), now })] as const),
  );
}

/** Devices with a query in the log of the last 30 days. */
async function seenOf(
  devices: readonly Device[],
  account: AccountId,
  { log, now }: Deps,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  for (let at = 0; at < devices.length; at += DEVICES_AT_ONCE) {
    const ids = devices.slice(at, at + DEVICES_AT_ONCE).map(({ id }) => id);
    const range = { from: now() - SEEN_MS, to: now() + 1, devices: ids };
    for (const { device } of await log.statistics.devices(account, range)) seen.add(device);
  }
  return seen;
}

export const protectionOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/protection',
    operationId: 'getProtection',
    group,
    summary: 'Get the protection state',
    description:
      'Whether queries are filtered now, from the settings and from the lists that the resolver of this node has loaded. The state of the account is that of its DNS servers, or `partly` if they differ.',
    reply: Protection,
    responseDescription: 'State of the account and of each DNS server, with reasons.',
    run: async (store, { caller }, deps) => {
      const states = await statesOf(await store.profiles.list(caller.account), deps);
      return ok({
        ...protectionToWire(accountProtection(states)),
        dns_servers: Array.from(states, ([id, state]) => ({ dns_server_id: id, ...protectionToWire(state) })),
      });
    },
  }),
  query({
    method: 'GET',
    path: '/api/v1/protection/devices',
    operationId: 'getDeviceProtection',
    group,
    summary: 'Get the protection state of devices',
    description:
      'The state of the DNS server of each device, with its own switch and pause. A device without a query in the last 30 days is `unknown`, if queries are logged.',
    query: Type.Object({
      devices: Type.Optional(Type.Array(Type.String(), { description: 'Filter by device.', maxItems: 1000 })),
      ...listParameters,
    }),
    reply: Type.Array(DeviceProtection),
    replyHeaders: listHeaders,
    responseDescription: 'State of each device, with reasons.',
    errors: [400],
    run: async (store, { caller, query: { devices: wanted = [], ...page } }, deps) => {
      const { account } = caller;
      const ids = new Set(wanted);
      const all = await store.devices.list(account);
      const devices = ids.size > 0 ? all.filter(({ id }) => ids.has(id)) : all;
      const states = await statesOf(await store.profiles.list(account), deps);
      const { logEnabled } = await findAccount(store, account);
      const seen = logEnabled ? await seenOf(devices, account, deps) : undefined;
      const found = devices.flatMap((device) => {
        const server = states.get(device.profile);
        if (!server) return [];
        const state = deviceProtection({ device, server, isSeen: seen?.has(device.id), now: deps.now() });
        return [{ device_id: device.id, dns_server_id: device.profile, ...protectionToWire(state) }];
      });
      return pageOfList(found, page, ({ device_id }) => device_id);
    },
  }),
];
