import Type from 'typebox';
import { enumeration, int32, object } from './named.ts';

const Network = object('ClientNetwork', 'A network and the DNS server for its clients.', {
  network: Type.String({ maxLength: 64, description: 'In CIDR form, as `192.168.1.0/24`, or one address.' }),
  dns_server_id: Type.String({ maxLength: 64 }),
});

export const Assignable = enumeration('AssignableNetworks', ['none', 'private', 'any']);

export const NetworksUpdate = object('ClientNetworksUpdate', 'Replaces all networks of the account.', {
  networks: Type.Array(Network, { maxItems: 1000 }),
});

export const Networks = object('ClientNetworks', 'DNS servers for clients that match no device, by network.', {
  networks: Type.Array(Network),
  private_networks: Type.Array(Type.String(), { description: 'The private networks, as `192.168.0.0/16`.' }),
  assignable: Assignable,
  dns_addresses: Type.Array(
    object('DNSListenAddress', 'An address on which this server answers plain DNS.', {
      address: Type.String(),
      port: int32(),
    }),
  ),
});
