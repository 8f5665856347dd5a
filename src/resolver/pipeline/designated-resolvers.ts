import { serviceBindingData } from '../../dns/record-data.ts';
import { serviceKeys } from '../../dns/service-binding.ts';
import type { DeviceId } from '../../domain/ids.ts';
import { isLocalName, withoutPort } from '../../domain/offered-hosts.ts';
import { addressBytes } from '../identity/address-key.ts';

/** Endpoints of encrypted DNS; undefined ones are not offered. Hosts may have a port, as in the addresses shown to users. */
export type Designated = {
  readonly dohHost: string;
  readonly deviceDomain: string;
  readonly dohPort: number | undefined;
  readonly dotPort: number | undefined;
  readonly addresses: readonly string[];
};

const PATH = '/dns-query{?dns}';

/**
 * Data of the SVCB records that announce encrypted DNS to clients of plain DNS (RFC 9462). A device gets its own host name, which
 * identifies it.
 */
export function designatedResolvers(settings: Designated): (device: DeviceId | undefined) => readonly Uint8Array[] {
  const { dohPort, dotPort } = settings;
  const hints = hintsOf(settings.addresses);
  return (device) => {
    const nameUnder = (host: string) =>
      device === undefined ? withoutPort(host) : `${device}.${withoutPort(settings.deviceDomain)}`;
    const endpoints = [
      ...(dohPort === undefined
        ? []
        : [{ target: nameUnder(settings.dohHost), alpn: 'h2', port: dohPort, path: PATH }]),
      ...(dotPort === undefined ? [] : [{ target: nameUnder(settings.deviceDomain), alpn: 'dot', port: dotPort }]),
    ];
    const reachable = endpoints.filter(({ target }) => !isLocalName(target));
    return reachable.flatMap((way, index) => serviceBindingData(index + 1, way.target, parametersOf(way, hints)) ?? []);
  };
}

type Way = { readonly alpn: string; readonly port: number; readonly path?: string };
type Hints = { readonly ipv4: Uint8Array; readonly ipv6: Uint8Array };

const parametersOf = ({ alpn, port, path }: Way, { ipv4, ipv6 }: Hints) => [
  { key: serviceKeys.alpn, value: Uint8Array.from([alpn.length, ...Buffer.from(alpn)]) },
  { key: serviceKeys.port, value: Uint8Array.of(port >> 8, port & 0xff) },
  ...(ipv4.length > 0 ? [{ key: serviceKeys.ipv4hint, value: ipv4 }] : []),
  ...(ipv6.length > 0 ? [{ key: serviceKeys.ipv6hint, value: ipv6 }] : []),
  ...(path === undefined ? [] : [{ key: serviceKeys.dohpath, value: Uint8Array.from(Buffer.from(path)) }]),
];

function hintsOf(addresses: readonly string[]): Hints {
  const all = addresses.flatMap((address) => addressBytes(address) ?? []);
  const joined = (length: number) =>
    Uint8Array.from(all.filter((bytes) => bytes.length === length).flatMap((bytes) => [...bytes]));
  return { ipv4: joined(4), ipv6: joined(16) };
}
