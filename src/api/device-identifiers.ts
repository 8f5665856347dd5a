import type { AssignableNetworks } from '../domain/client-networks.ts';
import type { Device } from '../domain/device.ts';
import { deviceTags, tagNames } from '../domain/device-tags.ts';
import type { StoreReader } from '../domain/repositories.ts';
import { ok } from '../kit/result.ts';
import { type RequestedIdentifiers, setIdentifiers } from '../operations/set-identifiers.ts';
import { assignableTo } from './assignable-networks.ts';
import { DeviceParams, findDevice } from './devices.ts';
import { mutation, type Operation, query } from './operation.ts';
import { DeviceIdentifiers, DeviceIdentifiersUpdate } from './wire/device-identifiers.ts';

const group = 'Devices';
const path = '/api/v1/devices/:device_id/identifiers';

const toWire = ({ type }: Device, { identifiers, tags }: RequestedIdentifiers, assignable: AssignableNetworks) => ({
  identifiers: identifiers.map(({ kind, value }) => ({ kind, value })),
  tags: [...tags],
  type_tags: [...deviceTags[type]],
  available_tags: [...tagNames],
  assignable,
});

/** The members that an update replaces. */
async function identifierState(
  store: Pick<StoreReader, 'devices' | 'deviceIdentifiers'>,
  input: Parameters<typeof findDevice>[1],
): Promise<unknown> {
  const device = await findDevice(store, input);
  if (!device.ok) return undefined;
  const { account, id, tags } = device.value;
  const identifiers = await store.deviceIdentifiers.ofDevice(account, id);
  return [identifiers.map(({ kind, value }) => [kind, value]), tags];
}

export const deviceIdentifierOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path,
    operationId: 'getDeviceIdentifiers',
    group,
    summary: 'Get the identifiers and tags of a device',
    description:
      'Addresses, networks, MAC addresses and names that identify the device, and its tags for `$ctag` rules.',
    params: DeviceParams,
    stateOf: identifierState,
    reply: DeviceIdentifiers,
    responseDescription: 'The identifiers and tags.',
    errors: [404],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const { account } = input.caller;
      const identifiers = await store.deviceIdentifiers.ofDevice(account, device.value.id);
      const assignable = await assignableTo(store, deps, input.caller);
      return ok(toWire(device.value, { identifiers, tags: device.value.tags }, assignable));
    },
  }),
  mutation({
    method: 'PUT',
    path,
    operationId: 'updateDeviceIdentifiers',
    group,
    summary: 'Replace the identifiers and tags of a device',
    description:
      'Applies to the next query. A client that presents no device id is compared with the identifiers of all devices; the most specific decides. MAC addresses, private addresses, private networks and host names may be added while there is one account, and by the operator; `assignable` is not `none` then. An identifier belongs to one device.',
    params: DeviceParams,
    stateOf: identifierState,
    body: DeviceIdentifiersUpdate,
    reply: DeviceIdentifiers,
    responseDescription: 'The identifiers in canonical form, and the tags.',
    errors: [400, 404],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const assignable = await assignableTo(store, deps, input.caller);
      const updated = await setIdentifiers(store, device.value, input.body, assignable);
      if (!updated.ok) return updated;
      const { audit, ...current } = updated.value;
      return ok({ reply: toWire(device.value, current, assignable), audit });
    },
  }),
];
