import { createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Secret from which keys of TLS session tickets are derived. Nodes with the same secret resume each other's sessions. */
export type TicketSecret = {
  /** Number of the period since 1970 for which `value` is valid. */
  readonly period: number;
  readonly value: Uint8Array;
};

export const TICKET_PERIOD_MS = 12 * 3_600_000;
const SECRET_BYTES = 32;
/** Size of ticket keys in node:tls. */
const KEY_BYTES = 48;

const periodAt = (now: number): number => Math.floor(now / TICKET_PERIOD_MS);

export const newTicketSecret = (now: number): TicketSecret => ({
  period: periodAt(now),
  value: new Uint8Array(randomBytes(SECRET_BYTES)),
});

/** The secret of the current period. It is the hash of the previous one, so it cannot decrypt tickets of earlier periods. */
export function currentSecret(secret: TicketSecret, now: number): TicketSecret {
  let { period, value } = secret;
  for (const last = periodAt(now); period < last; period += 1)
    value = new Uint8Array(createHash('sha256').update('next period').update(value).digest());
  return { period, value };
}

/** Returns a function that returns the current ticket keys. */
export function ticketKeys(secret: TicketSecret, now: () => number = Date.now): () => Buffer {
  let current = secret;
  return () => {
    current = currentSecret(current, now());
    return Buffer.from(hkdfSync('sha256', current.value, '', 'TLS session tickets', KEY_BYTES));
  };
}
