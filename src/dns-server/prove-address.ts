import type { ClientRegistry } from '../resolver/identity/client-registry.ts';
import type { PendingLink } from '../resolver/identity/directory.ts';
import type { LookupDeps } from '../resolver/pipeline/lookups.ts';

/** Answers queries for proof names, in the resolver thread; `link` links the address in the store. */
export const createProve =
  (proofOf: ClientRegistry['addressProof'], link: (pending: PendingLink) => Promise<boolean>): LookupDeps['prove'] =>
  async (request, question) => {
    const proof = proofOf(request, question);
    if (!proof) return undefined;
    if (proof.kind === 'other address') return [`not linked: this query came from ${proof.client}`];
    const isLinked = await link(proof.link);
    return [isLinked ? `${proof.link.address} has been linked` : 'not linked: the address is not pending any more'];
  };
