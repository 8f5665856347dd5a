import type { Logger } from 'pino';
import {
  currentSecret,
  newTicketSecret,
  TICKET_PERIOD_MS,
  type TicketSecret,
} from '../resolver/transport/ticket-keys.ts';
import type { Store } from '../store/store.ts';

export type SharedSecrets = { readonly cookieSecret: Uint8Array; readonly ticketSecret: TicketSecret };

const COOKIES = 'DNS cookies';
const TICKETS = 'TLS session tickets';

/**
 * Secrets that nodes share, so that clients can switch between nodes. The first node stores its secrets, so its cookie secret remains
 * valid.
 */
export const readSharedSecrets = (
  store: Pick<Store, 'inTransaction'>,
  ownCookies: Uint8Array,
  now: number,
): Promise<SharedSecrets> =>
  store.inTransaction(async ({ sharedSecrets }) => {
    const cookies = await sharedSecrets.ensure(COOKIES, { value: toText(ownCookies), period: 0 });
    const made = newTicketSecret(now);
    const { value, period } = await sharedSecrets.ensure(TICKETS, { value: toText(made.value), period: made.period });
    const ticketSecret = currentSecret({ period, value: toBytes(value) }, now);
    // Overwrites the secret of the last period, so that recorded tickets of that period cannot be decrypted later.
    await sharedSecrets.advance(TICKETS, { value: toText(ticketSecret.value), period: ticketSecret.period });
    return { cookieSecret: toBytes(cookies.value), ticketSecret };
  });

/** The secrets of the database; undefined if it cannot be read. The node then uses its own until it is restarted. */
export async function openSharedSecrets(store: Store, ownCookies: Uint8Array, log: Logger) {
  const read = (): Promise<SharedSecrets> => readSharedSecrets(store, ownCookies, Date.now());
  const warn = (err: unknown): undefined => {
    log.warn({ err }, 'the secrets that nodes share cannot be read');
    return undefined;
  };
  const timer = setInterval(() => void read().catch(warn), TICKET_PERIOD_MS).unref();
  return { secrets: await read().catch(warn), stop: (): void => clearInterval(timer) };
}

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
