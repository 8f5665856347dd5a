import Type from 'typebox';
import { linkDedicated } from '../domain/device-rules.ts';
import { invalid } from '../domain/domain-error.ts';
import { err, ok } from '../kit/result.ts';
import { limitsFor } from '../operations/find-account.ts';
import { DeviceParams, deviceAddresses, findDevice } from './devices.ts';
import { mutation, type Operation, query } from './operation.ts';
import { DedicatedIPv4Address, DedicatedIps, dedicatedToWire, LinkDedicatedIPv4 } from './wire/device.ts';
import { limitToWire } from './wire/limits.ts';

const group = 'Dedicated IP addresses';
const notFound = err({ kind: 'not found', what: 'address' } as const);

export const dedicatedAddressOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/oapi/v1/dedicated_addresses/ipv4',
    operationId: 'listDedicatedIPv4Addresses',
    group,
    summary: 'List dedicated IPv4 addresses',
    description: 'The addresses of the account, with the device that each is linked to.',
    reply: Type.Array(DedicatedIPv4Address),
    responseDescription: 'The addresses.',
    run: async (store, { caller }) => ok((await store.dedicated.list(caller.account)).map(dedicatedToWire)),
  }),
  mutation({
    method: 'POST',
    path: '/oapi/v1/dedicated_addresses/ipv4',
    operationId: 'allocateDedicatedIPv4Address',
    group,
    summary: 'Allocate a dedicated IPv4 address',
    description:
      'Takes the first free address of the pool of the operator. Link it to a device to identify its queries.',
    reply: DedicatedIPv4Address,
    responseDescription: 'The allocated address.',
    errors: [429],
    run: async (store, { caller: { account } }, deps) => {
      const { dedicatedIpv4: limit } = await limitsFor(store, account, deps);
      const { dedicatedIpv4: used } = await store.accounts.counts(account);
      const { dedicatedPool } = deps.dns;
      const address = used < limit ? await store.dedicated.allocate(account, dedicatedPool, deps.now()) : undefined;
      // An exhausted pool is reported as a limit: the wire has no other error for it.
      if (!address) return err({ kind: 'limit reached', what: 'dedicatedIpv4', limit: Math.min(limit, used) });
      return ok({
        reply: dedicatedToWire(address),
        audit: { action: 'dedicated_address.allocate', subject: address.ip },
      });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/dedicated_addresses/ipv4/:ip',
    operationId: 'releaseDedicatedIPv4Address',
    group,
    summary: 'Release a dedicated IPv4 address',
    description: 'The address returns to the pool, and another account may get it. It must not be linked to a device.',
    params: Type.Object({ ip: Type.String({ description: 'The dedicated IPv4 address.' }) }),
    responseDescription: 'Address released.',
    errors: [400, 404],
    run: async (store, { caller: { account }, params: { ip } }) => {
      const address = (await store.dedicated.list(account)).find((dedicated) => dedicated.ip === ip);
      if (!address) return notFound;
      if (address.device !== undefined) return err(invalid('ip', 'is linked to a device: unlink it first'));
      await store.dedicated.release(account, ip);
      return ok({ reply: undefined, audit: { action: 'dedicated_address.release', subject: ip } });
    },
  }),
  query({
    method: 'GET',
    path: '/oapi/v1/devices/:device_id/dedicated_addresses',
    operationId: 'listDedicatedAddressesForDevice',
    group: 'Devices',
    summary: 'List the dedicated addresses of a device',
    description: 'Queries to these addresses of the server are those of the device.',
    params: DeviceParams,
    reply: DedicatedIps,
    responseDescription: 'The addresses and the IPv4 address limit of the device.',
    errors: [404],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const { account } = input.caller;
      const { ipv4, ipv6 } = deviceAddresses(
        deps,
        device.value,
        await store.dedicated.ofDevice(account, device.value.id),
      );
      const { dedicatedIpv4: limit } = await limitsFor(store, account, deps);
      const available = Math.max(ipv4.length, Math.min(limit, deps.dns.dedicatedPool.length));
      return ok({ ipv4: [...ipv4], ipv4_limit: limitToWire({ limit: available, used: ipv4.length }), ipv6 });
    },
  }),
  mutation({
    method: 'POST',
    path: '/oapi/v1/devices/:device_id/dedicated_addresses/ipv4',
    operationId: 'linkDedicatedIPv4Address',
    group: 'Devices',
    summary: 'Link a dedicated IPv4 address to a device',
    description: 'The address must be allocated to the account and must not be linked to another device.',
    params: DeviceParams,
    body: LinkDedicatedIPv4,
    responseDescription: 'Address linked.',
    errors: [400, 404, 429],
    run: async (store, input, deps) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const { account } = input.caller;
      const { dedicatedIpv4: limit } = await limitsFor(store, account, deps);
      const addresses = await store.dedicated.list(account);
      const address = addresses.find(({ ip }) => ip === input.body.ip.trim());
      const linked = addresses.filter((other) => other.device === device.value.id).length;
      const decided = linkDedicated(device.value, address, { linked, limit });
      if (!decided.ok) return decided;
      await store.dedicated.link(account, decided.value.ip, device.value.id);
      const audit = { action: 'dedicated_address.link', subject: device.value.id, after: decided.value.ip };
      return ok({ reply: undefined, audit });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/oapi/v1/devices/:device_id/dedicated_addresses/ipv4',
    operationId: 'unlinkDedicatedIPv4Address',
    group: 'Devices',
    summary: 'Unlink a dedicated IPv4 address from a device',
    description: 'Queries to the address do not identify the device any more. It can be linked to another one.',
    params: DeviceParams,
    query: Type.Object({ ip: Type.String({ description: 'The dedicated IPv4 address.' }) }),
    responseDescription: 'Address unlinked; it stays allocated to the account.',
    errors: [400, 404],
    run: async (store, input) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const ip = input.query.ip.trim();
      if (!(await store.dedicated.unlink(input.caller.account, ip, device.value.id))) return notFound;
      const audit = { action: 'dedicated_address.unlink', subject: device.value.id, before: ip };
      return ok({ reply: undefined, audit });
    },
  }),
];
