import { mayWrite } from '../domain/account.ts';
import { changed } from '../domain/audit.ts';
import { parseDdnsName, RANDOM_BYTES_OF_LINK_TOKEN, unlinkAddress } from '../domain/linked-address.ts';
import { invalid } from '../domain/problem.ts';
import { err, ok } from '../kit/result.ts';
import { DeviceParams, findDevice } from './devices.ts';
import { type LinkTo, linkDevice } from './link-device.ts';
import { change, type Operation, read } from './operation.ts';
import { LinkedAddress, LinkedAddressUpdate, linkedAddressToWire } from './wire/linked-address.ts';

const group = 'Devices';
const path = '/api/v1/devices/:device_id/linked_address';

export const linkedAddressOperations: readonly Operation[] = [
  read({
    method: 'GET',
    path,
    operationId: 'getLinkedAddress',
    group,
    summary: 'The linked address of a device',
    params: DeviceParams,
    reply: LinkedAddress,
    replyWords: 'The address, where it comes from, and the link that sets it (not for viewers).',
    refusals: [404],
    run: async (store, asked, deps) => {
      const device = await findDevice(store, asked);
      const publicUrl = mayWrite(asked.caller.role) ? deps.publicUrl() : undefined;
      return device.ok ? ok(linkedAddressToWire(device.value, publicUrl)) : device;
    },
  }),
  change({
    method: 'PUT',
    path,
    operationId: 'setLinkedAddress',
    group,
    summary: 'Link an address, or a name that leads to it',
    description: 'One of `ip` and `ddns`. Another device of the account that has the address loses it.',
    params: DeviceParams,
    body: LinkedAddressUpdate,
    reply: LinkedAddress,
    replyWords: 'It is linked. Without `ip` nothing is behind the name yet.',
    refusals: [400, 404],
    prepare: async (deps, { body: { ip, ddns } }) => {
      if ((ip === undefined) === (ddns === undefined)) return err(invalid('ip', 'give either an address or a name'));
      if (ip !== undefined) return ok<LinkTo>({ kind: 'address', ip });
      return ok<LinkTo>({ kind: 'name', name: ddns!, ip: await deps.addressBehind(parseDdnsName(ddns!) ?? '') });
    },
    run: async (store, asked, deps, to) => {
      const device = await findDevice(store, asked);
      if (!device.ok) return device;
      const linked = await linkDevice(store, device.value, to);
      if (!linked.ok) return linked;
      return ok({
        reply: linkedAddressToWire(linked.value.device, deps.publicUrl()),
        audit: linked.value.audit,
      });
    },
  }),
  change({
    method: 'DELETE',
    path,
    operationId: 'removeLinkedAddress',
    group,
    summary: 'Unlink the address of a device',
    description: 'Its link is void from then on; the answer has another.',
    params: DeviceParams,
    reply: LinkedAddress,
    replyWords: 'No address is linked. The new link.',
    refusals: [404],
    run: async (store, asked, deps) => {
      const device = await findDevice(store, asked);
      if (!device.ok) return device;
      const unlinked = unlinkAddress(device.value, deps.random(RANDOM_BYTES_OF_LINK_TOKEN));
      const updated = await store.devices.update(unlinked);
      if (!updated.ok) return updated;
      const audit = { action: 'device.unlink', subject: unlinked.id, ...changed(device.value, unlinked) };
      return ok({ reply: linkedAddressToWire(unlinked, deps.publicUrl()), audit });
    },
  }),
];
