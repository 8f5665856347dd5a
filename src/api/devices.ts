import Type from 'typebox';
import { mayWrite } from '../domain/account.ts';
import { changed } from '../domain/audit.ts';
import type { Device as OwnDevice } from '../domain/device.ts';
import {
  createDevice,
  RANDOM_BYTES_OF_DEVICE,
  RANDOM_BYTES_OF_DOH_PASSWORD,
  resetDohPassword,
  updateDevice,
  updateDeviceSettings,
} from '../domain/device-rules.ts';
import { dnsAddresses, ipv6OfDevice } from '../domain/dns-addresses.ts';
import { type AccountId, parseDeviceId, parseProfileId } from '../domain/ids.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { Refusal } from './errors.ts';
import { limitsFor } from './limits-routes.ts';
import { listPage, pageParameters } from './lists.ts';
import { type Changed, change, type Operation, read } from './operation.ts';
import type { Reading, Writing } from './store-deps.ts';
import {
  Device,
  DeviceCreate,
  DeviceSettings,
  DeviceSettingsUpdate,
  DevicesResponse,
  DeviceUpdate,
  deviceSettingsFromWire,
  deviceSettingsToWire,
  deviceToWire,
  deviceUpdateFromWire,
  newDeviceFromWire,
} from './wire/device.ts';

const group = 'Devices';

export const DeviceParams = Type.Object({ device_id: Type.String({ description: 'Which device.' }) });

type DeviceAsked = { readonly caller: Caller; readonly params: { readonly device_id: string } };

/** The account's device, or that there is none; another's is as good as none. */
export async function findDevice(
  store: { readonly devices: Pick<Reading['devices'], 'find'> },
  { caller, params }: DeviceAsked,
): Promise<Result<OwnDevice, Refusal>> {
  const id = parseDeviceId(params.device_id);
  const device = id && (await store.devices.find(caller.account, id));
  return device ? ok(device) : err({ kind: 'not found', what: 'device' });
}

/** The addresses that lead to one device alone. */
export const ownAddresses = (deps: Deps, device: OwnDevice, ipv4: readonly string[]) => {
  const ipv6 = deps.dns.deviceNetwork === undefined ? undefined : ipv6OfDevice(deps.dns.deviceNetwork, device);
  return { ipv4, ipv6: ipv6 === undefined ? [] : [ipv6] };
};

/** Viewers do not get the DoH password, because it allows queries as the device. */
const show = (deps: Deps, { role }: Caller, device: OwnDevice, ipv4: readonly string[]) => {
  const shown = mayWrite(role) ? device : { ...device, dohPassword: '' };
  return deviceToWire(device, dnsAddresses(shown, deps.dns.hosts, ownAddresses(deps, device, ipv4)));
};

async function showAll(store: Reading, caller: Caller, deps: Deps, devices: readonly OwnDevice[]) {
  const addresses = Map.groupBy(await store.dedicated.list(caller.account), ({ device }) => device);
  return devices.map((device) =>
    show(
      deps,
      caller,
      device,
      (addresses.get(device.id) ?? []).map(({ ip }) => ip),
    ),
  );
}

/** Profiles of the account by what may be asked for: those of others are as good as unknown. */
async function profilesAmong(store: Writing, account: AccountId, wanted: string | undefined) {
  const id = wanted === undefined ? undefined : parseProfileId(wanted);
  const profile = id && (await store.profiles.find(account, id));
  return new Set(profile ? [profile.id] : []);
}

async function replace(
  store: Writing,
  before: OwnDevice,
  after: OwnDevice,
  action: string,
): Promise<Result<Changed<undefined>, Refusal>> {
  const updated = await store.devices.update(after);
  if (!updated.ok) return updated;
  return ok({ reply: undefined, audit: { action, subject: after.id, ...changed(before, after) } });
}

export const deviceOperations: readonly Operation[] = [
  read({
    method: 'GET',
    path: '/oapi/v1/devices',
    operationId: 'listDevices',
    group,
    summary: 'All devices',
    reply: Type.Array(Device),
    replyWords: 'The devices, the oldest first.',
    run: async (store, { caller }, deps) =>
      ok(await showAll(store, caller, deps, await store.devices.list(caller.account))),
  }),
  change({
    method: 'POST',
    path: '/oapi/v1/devices',
    operationId: 'createDevice',
    group,
    summary: 'Create a device',
    body: DeviceCreate,
    reply: Device,
    replyWords: 'The new device.',
    refusals: [400, 429],
    run: async (store, { caller, body }, deps) => {
      const { account } = caller;
      const { devices: limit } = await limitsFor(store, account, deps);
      const { devices: used } = await store.accounts.counts(account);
      const profiles = await profilesAmong(store, account, body.dns_server_id);
      const birth = { account, random: deps.random(RANDOM_BYTES_OF_DEVICE), now: deps.now() };
      const device = createDevice({ used, limit, profiles }, newDeviceFromWire(body), birth);
      if (!device.ok) return device;
      const added = await store.devices.add(device.value);
      if (!added.ok) return added;
      const audit = { action: 'device.create', subject: device.value.id, ...changed(undefined, device.value) };
      return ok({ reply: show(deps, caller, device.value, []), audit });
    },
  }),
  read({
    method: 'GET',
    path: '/oapi/v1/devices/:device_id',
    operationId: 'getDevice',
    group,
    summary: 'One device',
    params: DeviceParams,
    reply: Device,
    replyWords: 'The device.',
    refusals: [404],
    run: async (store, asked, deps) => {
      const device = await findDevice(store, asked);
      if (!device.ok) return device;
      const ipv4 = await store.dedicated.ofDevice(asked.caller.account, device.value.id);
      return ok(show(deps, asked.caller, device.value, ipv4));
    },
  }),
  change({
    method: 'PUT',
    path: '/oapi/v1/devices/:device_id',
    operationId: 'updateDevice',
    group,
    summary: 'Change a device',
    description: 'Only members that are given change. Another `dns_server_id` moves it.',
    params: DeviceParams,
    body: DeviceUpdate,
    replyWords: 'It is changed.',
    refusals: [400, 404],
    run: async (store, asked) => {
      const device = await findDevice(store, asked);
      if (!device.ok) return device;
      const profile = asked.body.dns_server_id ?? device.value.profile;
      const profiles = await profilesAmong(store, asked.caller.account, profile);
      const updated = updateDevice(device.value, deviceUpdateFromWire(asked.body), profiles);
      return updated.ok ? replace(store, device.value, updated.value, 'device.update') : updated;
    },
  }),
  change({
    method: 'DELETE',
    path: '/oapi/v1/devices/:device_id',
    operationId: 'removeDevice',
    group,
    summary: 'Remove a device',
    params: DeviceParams,
    replyWords: 'It is gone.',
    refusals: [404],
    run: async (store, asked) => {
      const device = await findDevice(store, asked);
      if (!device.ok) return device;
      await store.devices.remove(asked.caller.account, device.value.id);
      const audit = { action: 'device.remove', subject: device.value.id, ...changed(device.value, undefined) };
      return ok({ reply: undefined, audit });
    },
  }),
  read({
    method: 'GET',
    path: '/oapi/v1/devices/:device_id/settings',
    operationId: 'getDeviceSettings',
    group,
    summary: 'The settings of a device',
    params: DeviceParams,
    reply: DeviceSettings,
    replyWords: 'The settings.',
    refusals: [404],
    run: async (store, asked) => {
      const device = await findDevice(store, asked);
      return device.ok ? ok(deviceSettingsToWire(device.value)) : device;
    },
  }),
  change({
    method: 'PUT',
    path: '/oapi/v1/devices/:device_id/settings',
    operationId: 'updateDeviceSettings',
    group,
    summary: 'Change the settings of a device',
    description: 'Only members that are given change.',
    params: DeviceParams,
    body: DeviceSettingsUpdate,
    replyWords: 'They are changed.',
    refusals: [400, 404],
    run: async (store, asked) => {
      const device = await findDevice(store, asked);
      if (!device.ok) return device;
      const updated = updateDeviceSettings(device.value, deviceSettingsFromWire(asked.body));
      return replace(store, device.value, updated, 'device.settings');
    },
  }),
  change({
    method: 'PUT',
    path: '/oapi/v1/devices/:device_id/doh_password/reset',
    operationId: 'resetDOHPassword',
    group,
    summary: 'Give a device another DoH password',
    description: 'The new one stands in `dns_over_https_with_auth_url` of the device.',
    params: DeviceParams,
    replyWords: 'It has another.',
    refusals: [404],
    run: async (store, asked, deps) => {
      const device = await findDevice(store, asked);
      if (!device.ok) return device;
      const updated = resetDohPassword(device.value, deps.random(RANDOM_BYTES_OF_DOH_PASSWORD));
      return replace(store, device.value, updated, 'device.doh_password');
    },
  }),
  read({
    method: 'GET',
    path: '/oapi/v2/devices',
    operationId: 'getDevices',
    group,
    summary: 'Devices in pages',
    query: Type.Object({
      ...pageParameters,
      dns_servers: Type.Optional(Type.Array(Type.String(), { description: 'Only devices of these DNS servers.' })),
      devices: Type.Optional(Type.Array(Type.String(), { description: 'Only these devices.' })),
    }),
    reply: DevicesResponse,
    replyWords: 'A page of devices.',
    refusals: [400],
    run: async (store, { caller, query }, deps) => {
      const { dns_servers: profiles = [], devices = [] } = query;
      const isWanted = ({ id, profile }: OwnDevice): boolean =>
        (devices.length === 0 || devices.includes(id)) && (profiles.length === 0 || profiles.includes(profile));
      const keep = devices.length + profiles.length > 0 ? isWanted : undefined;
      const page = await listPage(query, deps.now(), (wanted) => store.devices.page(caller.account, wanted), keep);
      if (!page.ok) return page;
      const { items, navigation } = page.value;
      return ok({ items: await showAll(store, caller, deps, items), navigation });
    },
  }),
];
