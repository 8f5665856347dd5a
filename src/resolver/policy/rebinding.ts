import { isPrivateAddress } from '../../kit/private-address.ts';
import { isAtOrUnder, type Suffix, suffix } from '../pipeline/wire-suffix.ts';

/** `true` when the answer must not be given: a name of the world that leads into the network of whoever asks. */
export type LeadsInside = (
  name: Uint8Array,
  nameAt: number,
  nameEnd: number,
  address: Uint8Array,
  at: number,
  length: number,
) => boolean;

/** Names at or under the allowed domains may lead anywhere: those of the operator's own network, and blocklists for mail, which answer with 127.0.0.2. */
export function rebindingGuard(allowedDomains: readonly string[]): LeadsInside {
  const allowed = allowedDomains.flatMap((domain): Suffix[] => {
    const wire = suffix(domain);
    return wire ? [wire] : [];
  });
  return (name, nameAt, nameEnd, address, at, length) => {
    if (!isPrivateAddress(address, at, length)) return false;
    for (const domain of allowed) if (isAtOrUnder(name, nameAt, nameEnd, domain)) return false;
    return true;
  };
}
