import type { Random } from './random.ts';

/** DNS cookies for queries to one upstream (RFC 7873). */
export type ClientCookies = {
  /** Option data to send: the client cookie, and the server cookie once it is known. */
  readonly option: () => Uint8Array;
  /**
   * Whether a reply with this option (undefined: without one) belongs to our query. A server that has sent a cookie before must repeat
   * ours, which an attacker would have to guess.
   */
  readonly accepts: (option: Uint8Array | undefined) => boolean;
};

const CLIENT_LENGTH = 8;
const SHORTEST = 16;
const LONGEST = 40;

export function clientCookies(random: Random): ClientCookies {
  const clientCookie = random.bytes(CLIENT_LENGTH);
  let option = clientCookie;
  return {
    option: () => option,
    accepts(received) {
      if (!received) return option.length === CLIENT_LENGTH;
      if (received.length < CLIENT_LENGTH || clientCookie.some((byte, i) => byte !== received[i])) return false;
      if (received.length >= SHORTEST && received.length <= LONGEST) option = received.slice();
      return true;
    },
  };
}
