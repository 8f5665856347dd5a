import { type ClientSubnet, clientSubnetOption, readClientSubnet } from '../../dns/client-subnet.ts';
import type { Question } from '../../dns/question.ts';
import { isPrivateAddress } from '../../kit/private-address.ts';
import type { DnsRequest } from '../transport/listener.ts';
import type { QueryContext } from './query-context.ts';

/** Longest prefix that is sent upstream (RFC 7871, 11.1). */
const MOST_BITS = { 4: 24, 16: 56 } as const;

/** Bits of a well-formed client subnet that are sent upstream; 0 for a private one, which has no location (RFC 7871, 11.1). */
function bitsSent({ address, prefixLength }: ClientSubnet): number {
  if (isPrivateAddress(address, 0, address.length)) return 0;
  const most = address.length === 4 ? MOST_BITS[4] : address.length === 16 ? MOST_BITS[16] : 0;
  return Math.min(prefixLength, most);
}

const SCOPE_AT = 3;

/**
 * The subnet of the query with the scope of the response. Upstream responses are cached by the subnet that was sent upstream, so that
 * subnet is their scope; other responses are valid for all subnets.
 */
export function subnetWithScope({ request, question, response }: QueryContext): Uint8Array {
  const { subnetAt, subnetLength } = question;
  const data = request.bytes.slice(subnetAt, subnetAt + subnetLength);
  const subnet = readClientSubnet(data, 0, subnetLength, 'query');
  data[SCOPE_AT] = subnet && response === 'message' ? bitsSent(subnet) : 0;
  return data;
}

/** The client subnet to send upstream; undefined unless both the operator and the client allow it (RFC 7871). */
export function clientSubnetOf(
  isEnabled: boolean,
): (request: DnsRequest, question: Question) => Uint8Array | undefined {
  if (!isEnabled) return () => undefined;
  return ({ bytes }, { subnetAt, subnetLength }) => {
    const subnet = subnetLength === 0 ? undefined : readClientSubnet(bytes, subnetAt, subnetLength, 'query');
    if (!subnet) return undefined;
    if (isPrivateAddress(subnet.address, 0, subnet.address.length)) return undefined;
    return clientSubnetOption({ ...subnet, prefixLength: bitsSent(subnet) }).data;
  };
}
