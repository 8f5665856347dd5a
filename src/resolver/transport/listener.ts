/**
 * What a transport knows of a query besides its bytes. Transports that answer at once use one object again and again:
 * copy what outlives the call.
 */
export type Asked = {
  bytes: Uint8Array;
  at: number;
  length: number;
  transport: 'udp' | 'tcp' | 'dot' | 'doh';
  /** 4 or 16 bytes; an IPv4 address that an IPv6 socket saw is 4. */
  client: Uint8Array;
  clientPort: number;
  /** The address that was asked; all zero where the system does not tell it (dgram on a wildcard). */
  local: Uint8Array;
  serverName?: string;
  /** What stands behind /dns-query/ or /resolve/. */
  path?: string;
  login?: { user: string; password: string };
};

/** Writes into `into` from `at` and returns the length; 0 drops the query, -1 says that `later` will answer it. */
export type AnswerAtOnce = (asked: Asked, into: Uint8Array, at: number, room: number) => number;

/** `asked` may be kept. `reply` without bytes drops the query; a second reply to the same query does nothing. */
export type AnswerLater = (asked: Asked, reply: (bytes: Uint8Array | undefined) => void) => void;

export type Answers = { readonly atOnce: AnswerAtOnce; readonly later: AnswerLater };

export type Endpoint = { readonly host: string; readonly port: number };

export type Listening = { readonly address: Endpoint; readonly stop: () => Promise<void> };

/** Whether this address (4 or 16 bytes) is one of our own proxies, whose word about others is believed. */
export type IsTrusted = (address: Uint8Array) => boolean;

export type Tell = (problem: string, error?: unknown) => void;

/** An answer must never end a listener: what it throws is told, and the query counts as dropped. Replies count once. */
export function withoutThrowing({ atOnce, later }: Answers, tell: Tell): Answers {
  return {
    atOnce(asked, into, at, room) {
      try {
        return atOnce(asked, into, at, room);
      } catch (error) {
        tell('answering a query failed', error);
        return 0;
      }
    },
    later(asked, reply) {
      let isOpen = true;
      const replyOnce = (bytes: Uint8Array | undefined): void => {
        if (!isOpen) return;
        isOpen = false;
        reply(bytes);
      };
      try {
        later(asked, replyOnce);
      } catch (error) {
        tell('answering a query failed', error);
        replyOnce(undefined);
      }
    },
  };
}
