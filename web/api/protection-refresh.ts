import type { ProtectionReasonCode } from '../../src/client/operations.ts';

const REFRESH_MS = 30_000;
const SOON_MS = 4000;

/** These often end within seconds: the resolver learns of a new profile, and lists are downloaded. */
const passing: ReadonlySet<ProtectionReasonCode> = new Set([
  'resolver_unavailable',
  'nothing_loaded',
  'lists_not_loaded',
]);

type WithReasons = { readonly reasons: readonly { readonly code: ProtectionReasonCode }[] };

/** When to ask for protection states again. */
export const protectionRefreshMs = (states: readonly WithReasons[] = []): number =>
  states.some(({ reasons }) => reasons.some(({ code }) => passing.has(code))) ? SOON_MS : REFRESH_MS;
