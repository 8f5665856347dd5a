import type { BlockingSettings, ProfileSettings } from '../../domain/profile.ts';
import { addressBytes } from '../identity/address-key.ts';

/** Response to a blocked query. */
export type Blocking = {
  readonly mode: Exclude<BlockingSettings['mode'], 'NONE'>;
  /** Only with CUSTOM_IP; a family without an address gets an empty answer. */
  readonly ipv4: Uint8Array | undefined;
  readonly ipv6: Uint8Array | undefined;
  readonly ttlSeconds: number;
};

export function blockingOf({ mode, ipv4, ipv6 }: BlockingSettings, ttlSeconds: number): Blocking {
  // NONE means the default mode.
  if (mode !== 'CUSTOM_IP') return { ...NO_ADDRESSES, mode: mode === 'NONE' ? 'NULL_IP' : mode, ttlSeconds };
  return { mode, ipv4: ofLength(4, ipv4), ipv6: ofLength(16, ipv6), ttlSeconds };
}

const NO_ADDRESSES = { ipv4: undefined, ipv6: undefined };

function ofLength(length: number, text: string | undefined): Uint8Array | undefined {
  const bytes = text === undefined ? undefined : addressBytes(text);
  return bytes?.length === length ? bytes : undefined;
}

/** Version 1.12 has a separate blocking mode for dangerous domains. */
export function safeBrowsingBlockingOf({ safeBrowsing, blocking, blockTtlSeconds }: ProfileSettings): Blocking {
  const dangerous = safeBrowsing.blocking;
  return blockingOf(dangerous.mode === 'NONE' ? blocking : dangerous, blockTtlSeconds);
}
