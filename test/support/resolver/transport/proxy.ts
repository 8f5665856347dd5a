import { addressBytes } from '../../../../src/resolver/identity/address-key.ts';

export type ProxiedForTests = { client: string; clientPort: number; local: string; localPort: number };

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

/** A header of the PROXY protocol; `extras` stand behind the addresses. */
export function proxied(
  { client, clientPort, local, localPort }: ProxiedForTests,
  extras: Uint8Array = new Uint8Array(),
): Buffer {
  const ports = Buffer.alloc(4);
  ports.writeUInt16BE(clientPort);
  ports.writeUInt16BE(localPort, 2);
  const addresses = Buffer.concat([addressBytes(client)!, addressBytes(local)!, ports, extras]);
  return proxyHeader(0x21, client.includes(':') ? 0x21 : 0x11, addresses);
}

export function proxyHeader(command: number, family: number, rest: Uint8Array, length = rest.length): Buffer {
  return Buffer.concat([signature, Buffer.from([command, family, length >> 8, length & 0xff]), rest]);
}
