import type { InTransaction } from '../domain/repositories.ts';

// Dependencies of operations; `app` provides them.

export type Clock = { readonly now: () => number };
export type Random = { readonly random: (bytes: number) => Uint8Array };
export type Sha256 = { readonly sha256: (text: string) => Uint8Array };
export type Transactions = { readonly store: { readonly inTransaction: InTransaction } };
