import type { Standings } from '../resolver/identity/client-registry.ts';
import type { PendingLink } from '../resolver/identity/directory.ts';
import type { LaterDeps } from '../resolver/pipeline/slow-path.ts';

/** Answers queries for proof names, in the dns thread; `link` has the store link the address. */
export const createProve =
  (proofOf: Standings['addressProof'], link: (pending: PendingLink) => Promise<boolean>): LaterDeps['prove'] =>
  async (asked, question) => {
    const proof = proofOf(asked, question);
    if (!proof) return undefined;
    if (proof.kind === 'other address') return [`not linked: this query came from ${proof.client}`];
    const isLinked = await link(proof.link);
    return [isLinked ? `${proof.link.address} has been linked` : 'not linked: the address is not pending any more'];
  };
