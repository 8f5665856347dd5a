import { clientSubnetOption, readClientSubnet } from '../../dns/client-subnet.ts';
import type { Question } from '../../dns/question.ts';
import { isPrivateAddress } from '../../kit/private-address.ts';
import type { DnsRequest } from '../transport/listener.ts';

/** Longest prefix that is sent upstream (RFC 7871, 11.1). */
const MOST_BITS = { 4: 24, 16: 56 } as const;

/** The client subnet to send upstream; undefined unless both the operator and the client allow it (RFC 7871). */
export function clientSubnetOf(isTold: boolean): (asked: DnsRequest, question: Question) => Uint8Array | undefined {
  if (!isTold) return () => undefined;
  return ({ bytes }, { subnetAt, subnetLength }) => {
    const subnet = subnetLength === 0 ? undefined : readClientSubnet(bytes, subnetAt, subnetLength, 'query');
    if (!subnet) return undefined;
    const { address, prefixLength } = subnet;
    // A private subnet says nothing about the location of the client (RFC 7871, 11.1).
    if (isPrivateAddress(address, 0, address.length)) return undefined;
    const most = address.length === 4 ? MOST_BITS[4] : address.length === 16 ? MOST_BITS[16] : 0;
    return clientSubnetOption({ address, prefixLength: Math.min(prefixLength, most), scope: 0 }).data;
  };
}
