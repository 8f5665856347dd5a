import { changed } from '../domain/audit.ts';
import {
  type AssignableNetworks,
  type ClientNetwork,
  clientNetworks,
  privateNetworks,
} from '../domain/client-networks.ts';
import { invalid } from '../domain/domain-error.ts';
import type { StoreReader } from '../domain/repositories.ts';
import { err, ok } from '../kit/result.ts';
import { assignableTo } from './assignable-networks.ts';
import type { Caller } from './authenticate.ts';
import type { Deps } from './deps.ts';
import { mutation, type Operation, query } from './operation.ts';
import { Networks, NetworksUpdate } from './wire/networks.ts';

const group = 'Networks';

const networkToWire = ({ network, profile }: ClientNetwork) => ({ network, dns_server_id: profile as string });

const toWire = (deps: Deps, networks: readonly ClientNetwork[], assignable: AssignableNetworks) => ({
  networks: networks.map(networkToWire),
  private_networks: [...privateNetworks],
  assignable,
  dns_addresses: [...deps.dnsAddresses()],
});

const networkState = async (
  store: Pick<StoreReader, 'clientNetworks'>,
  { caller }: { readonly caller: Caller },
): Promise<unknown> => (await store.clientNetworks.list(caller.account)).map(networkToWire);

export const networkOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/networks',
    operationId: 'listNetworks',
    group,
    summary: 'List networks',
    description:
      'A client in one of these networks that matches no device uses the DNS server of the smallest network that contains its address. The setting `unknown-clients` of the operator overrides them.',
    stateOf: networkState,
    reply: Networks,
    responseDescription: 'The networks of the account.',
    run: async (store, { caller }, deps) =>
      ok(toWire(deps, await store.clientNetworks.list(caller.account), await assignableTo(store, deps, caller))),
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/networks',
    operationId: 'updateNetworks',
    group,
    summary: 'Replace networks',
    description:
      'Applies to the next query. Private networks may be assigned while there is one account; the operator may assign any network.',
    body: NetworksUpdate,
    stateOf: networkState,
    reply: Networks,
    responseDescription: 'The networks of the account, in canonical form.',
    errors: [400],
    run: async (store, { caller, body }, deps) => {
      const assignable = await assignableTo(store, deps, caller);
      const profiles = (await store.profiles.list(caller.account)).map(({ id }) => id);
      const requested = body.networks.map(({ network, dns_server_id: profile }) => ({ network, profile }));
      const networks = clientNetworks(requested, profiles, assignable);
      if (!networks.ok) return networks;
      const before = await store.clientNetworks.list(caller.account);
      const replaced = await store.clientNetworks.replace(caller.account, networks.value);
      if (!replaced.ok) return err(invalid('networks', 'must not contain a network of another account'));
      const audit = {
        action: 'networks.update',
        subject: caller.account,
        ...changed({ networks: before.map(networkToWire) }, { networks: networks.value.map(networkToWire) }),
      };
      return ok({ reply: toWire(deps, networks.value, assignable), audit });
    },
  }),
];
