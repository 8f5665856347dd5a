import { mayWrite } from '../domain/account.ts';
import { changed } from '../domain/audit.ts';
import { invalid } from '../domain/domain-error.ts';
import { parseDdnsName, RANDOM_BYTES_OF_LINK_TOKEN, unlinkAddress } from '../domain/linked-address.ts';
import { err, ok } from '../kit/result.ts';
import { type LinkTo, linkDevice } from '../operations/link-device.ts';
import { DeviceParams, findDevice } from './devices.ts';
import { mutation, type Operation, query } from './operation.ts';
import { LinkedAddress, LinkedAddressUpdate, linkedAddressToWire } from './wire/linked-address.ts';

const group = 'Devices';
const path = '/api/v1/devices/:device_id/linked_address';

export const linkedAddressOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path,
    operationId: 'getLinkedAddress',
    group,
    summary: 'Get the linked address of a device',
    description: 'Plain DNS queries from the linked address are those of the device.',
    params: DeviceParams,
    reply: LinkedAddress,
    responseDescription: 'The linked address, the pending address, and the auto-link URL (not for viewers).',
    errors: [404],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      return device.ok ? ok(linkedAddressToWire(device.value, deps, mayWrite(input.caller.role))) : device;
    },
  }),
  mutation({
    method: 'PUT',
    path,
    operationId: 'setLinkedAddress',
    group,
    summary: 'Link an IP address or a DDNS name',
    description:
      'Give either `ip` or `ddns`. The address is linked immediately if the request comes from it or if it moves from another device of the account. ' +
      'Otherwise it stays pending until it is verified: open `link_url` or query `proof_name` from that address.',
    params: DeviceParams,
    body: LinkedAddressUpdate,
    reply: LinkedAddress,
    responseDescription:
      'The address is linked (`ip`) or pending (`pending_ip`). Both are absent if the lookup of the name returned no address.',
    errors: [400, 404],
    prepare: async (deps, { body: { ip, ddns } }) => {
      if ((ip === undefined) === (ddns === undefined))
        return err(invalid('ip', 'give either an IP address or a DDNS name'));
      if (ip !== undefined) return ok<LinkTo>({ kind: 'typed', ip });
      return ok<LinkTo>({ kind: 'name', name: ddns!, ip: await deps.addressBehind(parseDdnsName(ddns!) ?? '') });
    },
    run: async (store, input, deps, to) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const linked = await linkDevice(store, deps, device.value, to, input.address);
      if (!linked.ok) return linked;
      return ok({
        reply: linkedAddressToWire(linked.value.device, deps, true),
        audit: linked.value.audit,
      });
    },
  }),
  mutation({
    method: 'DELETE',
    path,
    operationId: 'removeLinkedAddress',
    group,
    summary: 'Unlink the address of a device',
    description: 'The auto-link URL and the proof name become invalid; the response has a new URL.',
    params: DeviceParams,
    reply: LinkedAddress,
    responseDescription: 'Address unlinked. The response has the new auto-link URL.',
    errors: [404],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const unlinked = unlinkAddress(device.value, deps.random(RANDOM_BYTES_OF_LINK_TOKEN));
      const updated = await store.devices.update(unlinked);
      if (!updated.ok) return updated;
      const audit = { action: 'device.unlink', subject: unlinked.id, ...changed(device.value, unlinked) };
      return ok({ reply: linkedAddressToWire(unlinked, deps, true), audit });
    },
  }),
];
