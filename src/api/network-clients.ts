import Type from 'typebox';
import type { DeviceIdentifier } from '../domain/client-identifiers.ts';
import type { Device } from '../domain/device.ts';
import type { NetworkClient as OwnClient } from '../domain/network-client.ts';
import type { StoreReader } from '../domain/repositories.ts';
import { err, ok } from '../kit/result.ts';
import { adoptClient } from '../operations/adopt-client.ts';
import { assignableTo } from './assignable-networks.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { mutation, type Operation, query } from './operation.ts';
import { rangeFromWire, rangeParameters } from './time-range.ts';
import { newDeviceFromWire } from './wire/device.ts';
import {
  clientStatsToWire,
  NetworkClient,
  NetworkClientAdoption,
  NetworkClientStatsList,
  NetworkClients,
  networkClientToWire,
} from './wire/network-clients.ts';

const group = 'Networks';

const ClientParams = Type.Object({ client_id: Type.String({ maxLength: 64, description: 'Network client id.' }) });

/** Private networks are shared by all tenants: only accounts that may assign them see their clients. */
const mayRead = async (store: StoreReader, deps: Deps, caller: Caller): Promise<boolean> =>
  (await assignableTo(store, deps, caller)) !== 'none';

/** The device with an identifier of the client, otherwise the one whose settings were applied to the last query. */
function deviceOf(client: OwnClient, devices: readonly Device[], identifiers: readonly DeviceIdentifier[]) {
  const values = new Set([client.mac, ...client.addresses.map(({ address }) => address)]);
  const adopted = identifiers.find(({ kind, value }) => (kind === 'mac' || kind === 'address') && values.has(value));
  const id = adopted?.device ?? client.device;
  return devices.find((device) => device.id === id);
}

async function clientsToWire(store: StoreReader, deps: Deps, clients: readonly OwnClient[], { account }: Caller) {
  const devices = await store.devices.list(account);
  const identifiers = await store.deviceIdentifiers.list(account);
  const servers = new Set<string>((await store.profiles.list(account)).map(({ id }) => id));
  const context = {
    now: deps.now(),
    vendorOf: deps.networkClients.vendorOf,
    isServer: (id: string): boolean => servers.has(id),
  };
  return clients.map((client) =>
    networkClientToWire(client, { ...context, device: deviceOf(client, devices, identifiers) }),
  );
}

export const networkClientOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/network_clients',
    operationId: 'listNetworkClients',
    group,
    summary: 'List network clients',
    description:
      'Clients of private networks that were answered by a DNS server of this account. The list is empty for accounts that may not assign networks.',
    query: Type.Object(listParameters),
    reply: NetworkClients,
    replyHeaders: listHeaders,
    responseDescription: 'The network clients.',
    errors: [400],
    run: async (store, { caller, query }, deps) => {
      const { discovery } = deps.networkClients;
      if (!(await mayRead(store, deps, caller))) return ok({ discovery, items: [] });
      await deps.networkClients.refresh();
      const clients = await clientsToWire(store, deps, await store.networkClients.list(caller.account), caller);
      return pageOfList(
        clients,
        query,
        ({ id }) => id,
        (items) => ({ discovery, items }),
      );
    },
  }),
  query({
    method: 'GET',
    path: '/api/v1/network_clients/stats',
    operationId: 'getNetworkClientStats',
    group,
    summary: 'Get query statistics by network client',
    description:
      'Counts the entries of the query log in the time range that have a client address and no device: DNS servers that do not log client addresses are not counted, nor are entries that are deleted by the retention of the log.',
    query: Type.Object(rangeParameters),
    reply: NetworkClientStatsList,
    responseDescription: 'Statistics, the most queries first.',
    errors: [400],
    run: async (store, { caller, query }, deps) => {
      const range = rangeFromWire(query);
      if (!range.ok) return range;
      const counts = await deps.log.statistics.clients(caller.account, range.value);
      const clients = (await mayRead(store, deps, caller)) ? await store.networkClients.list(caller.account) : [];
      return ok(clientStatsToWire(counts, await clientsToWire(store, deps, clients, caller)));
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/network_clients/:client_id',
    operationId: 'removeNetworkClient',
    group,
    summary: 'Delete a network client',
    description: 'The client appears again with its next query.',
    params: ClientParams,
    responseDescription: 'Network client deleted.',
    errors: [404],
    // Stores pending queries first, because they belong to the deleted client.
    prepare: async (deps) => ok(await deps.networkClients.refresh()),
    run: async (store, { caller, params }, deps) => {
      const client = await store.networkClients.find(caller.account, params.client_id);
      if (!client || !(await mayRead(store, deps, caller))) return err({ kind: 'not found', what: 'network client' });
      await store.networkClients.remove(caller.account, [client.id]);
      return ok({ reply: undefined, audit: { action: 'network_client.remove', subject: client.id } });
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/network_clients/:client_id/adopt',
    operationId: 'adoptNetworkClient',
    group,
    summary: 'Make a network client a device',
    description:
      'Creates a device that is recognised by the MAC address of the client, also after its address has changed, or by its address. Applies to the next query.',
    params: ClientParams,
    body: NetworkClientAdoption,
    reply: NetworkClient,
    responseDescription: 'The client with its device.',
    errors: [400, 404, 429],
    run: async (store, { caller, params, body }, deps) => {
      const assignable = await assignableTo(store, deps, caller);
      const client = await store.networkClients.find(caller.account, params.client_id);
      if (!client || assignable === 'none') return err({ kind: 'not found', what: 'network client' });
      const adoption = { device: newDeviceFromWire(body), identifyBy: body.identify_by };
      const adopted = await adoptClient(store, deps, client, adoption, assignable);
      if (!adopted.ok) return adopted;
      const [reply] = await clientsToWire(store, deps, [client], caller);
      return ok({ reply: reply!, audit: adopted.value.audit });
    },
  }),
];
