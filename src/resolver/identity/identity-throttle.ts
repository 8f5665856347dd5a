import { clientLimit, clientLimitMemory } from '../transport/client-limit.ts';
import { claimHash, type DeviceOption, type IdentifyingParts, type IdentifySettings } from './identify.ts';
import type { IsInNetworks } from './networks.ts';

export type IdentityThrottleOptions = {
  readonly settings: Pick<IdentifySettings, 'deviceSuffix' | 'deviceNetwork'>;
  /** Different unknown ids and wrong passwords that one network (/24, /56) may present in a minute. */
  readonly perMinute: number;
  /** 8 bytes. */
  readonly secret: Uint8Array;
  /** Clients without a limit; private networks and loopback by default. */
  readonly isExempt?: IsInNetworks;
  readonly nowMs?: () => number;
};

export type IdentityThrottle = {
  /** The claim of a query; `NO_CLAIM` if it has none; `THROTTLED` if it must not be looked up. */
  readonly begin: (request: IdentifyingParts, option: DeviceOption) => number;
  /** Call this with the result of the lookup of a claim. */
  readonly end: (claim: number, request: IdentifyingParts, isKnown: boolean) => void;
  readonly counts: () => IdentityCounts;
};

export type IdentityCounts = { readonly unknown: number; readonly throttled: number };

export const NO_CLAIM = 0;
export const THROTTLED = -1;

const BUCKETS = 32_768;
const MAX_VALID_CLAIMS = 32_768;
const MAX_WRONG_CLAIMS = 16_384;

/**
 * Makes guessing of device ids and DoH passwords infeasible. A network that has presented too many different wrong ones
 * may only use claims that were valid from there before. All others are refused without a lookup, so that a refusal does not reveal whether
 * a claim is valid. UDP has separate buckets, since its sources can be forged.
 */
export function createIdentityThrottle(options: IdentityThrottleOptions): IdentityThrottle {
  const { settings, perMinute, secret, isExempt, nowMs = Date.now } = options;
  const bucketsOf = () =>
    clientLimit({
      memory: clientLimitMemory(BUCKETS),
      secret,
      queries: perMinute,
      seconds: 60,
      slip: 0,
      ...(isExempt && { isExempt }),
    });
  const buckets = { udp: bucketsOf(), others: bucketsOf() };
  const limitFor = ({ transport }: IdentifyingParts) => (transport === 'udp' ? buckets.udp : buckets.others);
  const validClaims = createRecent(MAX_VALID_CLAIMS);
  const wrongClaims = createRecent(MAX_WRONG_CLAIMS);
  const counts = { unknown: 0, throttled: 0 };
  const seed = new DataView(secret.buffer, secret.byteOffset).getInt32(0);

  return {
    begin(request, option) {
      const claim = claimHash(request, option, settings, seed);
      if (claim === NO_CLAIM || validClaims.has(claim) || limitFor(request).hasLeft(request.client, nowMs()))
        return claim;
      counts.throttled++;
      return THROTTLED;
    },
    end(claim, request, isKnown) {
      if (isKnown) {
        validClaims.add(claim);
        return;
      }
      counts.unknown++;
      validClaims.delete(claim);
      // Repeated wrong ids count once, so that a deleted device does not use up the budget of its network.
      if (wrongClaims.has(claim)) return;
      wrongClaims.add(claim);
      limitFor(request).take(request.client, nowMs());
    },
    counts: () => counts,
  };
}

/** Set of the most recently added or looked-up numbers: at least `size`, fewer than twice as many. */
function createRecent(size: number) {
  let young = new Set<number>();
  let old = new Set<number>();
  const add = (number: number): void => {
    if (young.size >= size) {
      old = young;
      young = new Set();
    }
    young.add(number);
  };
  return {
    add,
    has(number: number): boolean {
      if (young.has(number)) return true;
      if (!old.has(number)) return false;
      add(number);
      return true;
    },
    delete(number: number): void {
      young.delete(number);
      old.delete(number);
    },
  };
}
