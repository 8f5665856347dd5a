import { isPrivateAddress } from '../../kit/private-address.ts';
import { isAtOrUnder, suffix } from '../pipeline/wire-suffix.ts';

type NameRange = { readonly nameAt: number; readonly nameEnd: number };

/**
 * Whether the address, `length` bytes from `at` on, makes the answer a DNS rebinding attack: a public name that
 * resolves to a private address. The query name is the part `range` of `query`.
 */
export type IsRebinding = (
  query: Uint8Array,
  range: NameRange,
  address: Uint8Array,
  at: number,
  length: number,
) => boolean;

/** Allowed domains may have private addresses: those of the operator's network, and mail blocklists, which answer 127.0.0.2. */
export function rebindingGuard(allowedDomains: readonly string[]): IsRebinding {
  const allowed = allowedDomains.flatMap((domain) => suffix(domain) ?? []);
  return (query, { nameAt, nameEnd }, address, at, length) => {
    if (!isPrivateAddress(address, at, length)) return false;
    for (const domain of allowed) if (isAtOrUnder(query, nameAt, nameEnd, domain)) return false;
    return true;
  };
}
