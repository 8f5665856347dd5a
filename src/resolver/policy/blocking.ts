import type { BlockingSettings, ProfileSettings } from '../../domain/profile.ts';
import { addressBytes } from '../identity/address-key.ts';

/** What a blocked question is answered with. */
export type Blocking = {
  readonly mode: Exclude<BlockingSettings['mode'], 'NONE'>;
  /** With CUSTOM_IP only; a family without an address has no data. */
  readonly ipv4: Uint8Array | undefined;
  readonly ipv6: Uint8Array | undefined;
  readonly ttlSeconds: number;
};

export function blockingOf({ mode, ipv4, ipv6 }: BlockingSettings, ttlSeconds: number): Blocking {
  // Nothing chosen is what everybody has who never chose.
  if (mode !== 'CUSTOM_IP') return { ...NO_ADDRESSES, mode: mode === 'NONE' ? 'NULL_IP' : mode, ttlSeconds };
  return { mode, ipv4: ofLength(4, ipv4), ipv6: ofLength(16, ipv6), ttlSeconds };
}

const NO_ADDRESSES = { ipv4: undefined, ipv6: undefined };

function ofLength(length: number, text: string | undefined): Uint8Array | undefined {
  const bytes = text === undefined ? undefined : addressBytes(text);
  return bytes?.length === length ? bytes : undefined;
}

/** Version 1.12 lets dangerous domains be blocked in a way of their own. */
export function safeBrowsingBlockingOf({ safeBrowsing, blocking, blockTtlSeconds }: ProfileSettings): Blocking {
  const own = safeBrowsing.blocking;
  return blockingOf(own === undefined || own.mode === 'NONE' ? blocking : own, blockTtlSeconds);
}
