import Type from 'typebox';
import { mobileConfig } from '../domain/mobileconfig.ts';
import { ok } from '../kit/result.ts';
import { DeviceParams, findDevice } from './devices.ts';
import { type Operation, query } from './operation.ts';

const Query = Type.Object({
  exclude_wifi_networks: Type.Optional(
    Type.Array(Type.String(), { description: 'Wi-Fi networks (SSIDs) on which the profile is inactive.' }),
  ),
  exclude_domain: Type.Optional(
    Type.Array(Type.String(), { description: 'Domains that are resolved by the resolver of the network.' }),
  ),
});

const profileOperation = (protocol: 'DOH' | 'DOT', operationId: string, summary: string): Operation =>
  query({
    method: 'GET',
    path: `/oapi/v1/devices/:device_id/${protocol.toLowerCase()}.mobileconfig`,
    operationId,
    group: 'Devices',
    summary,
    description: 'Installing the profile makes the device use its DNS server. A new profile replaces the earlier one.',
    params: DeviceParams,
    query: Query,
    replyType: 'application/x-apple-aspen-config',
    responseDescription: 'Configuration profile (`application/x-apple-aspen-config`).',
    errors: [400, 404],
    run: async (store, input, { dns, sha256, signProfile }) => {
      const device = await findDevice(store, input);
      if (!device.ok) return device;
      const { exclude_wifi_networks: wifiNetworks = [], exclude_domain: domains = [] } = input.query;
      const wanted = { device: device.value, protocol, hosts: dns.hosts, exclude: { wifiNetworks, domains } };
      const xml = mobileConfig(wanted, sha256);
      if (!xml.ok) return xml;
      return ok({
        headers: {
          'content-type': 'application/x-apple-aspen-config',
          'content-disposition': `attachment; filename="${device.value.id}-${protocol.toLowerCase()}.mobileconfig"`,
        },
        content: Buffer.from(signProfile ? await signProfile(xml.value) : xml.value),
      });
    },
  });

export const mobileProfileOperations: readonly Operation[] = [
  profileOperation('DOH', 'getDoHMobileConfig', 'Get a DNS-over-HTTPS configuration profile for Apple devices'),
  profileOperation('DOT', 'getDoTMobileConfig', 'Get a DNS-over-TLS configuration profile for Apple devices'),
];
