import { randomFillSync } from 'node:crypto';
import type { TestContext } from 'node:test';
import { parseUpstream } from '../../../../src/domain/upstream-address.ts';
import { fixedAddress } from '../../../../src/resolver/upstream/host-addresses.ts';
import { pooledRandom } from '../../../../src/resolver/upstream/random.ts';
import { trustedContext } from '../../../../src/resolver/upstream/trusted-context.ts';
import { createUpstream, type Upstream, type UpstreamDeps } from '../../../../src/resolver/upstream/upstream.ts';
import { fairTime } from '../../kit/fair-time.ts';

// Most of these tests wait for timeouts of the resolver.
const SPEED = 5;
export const now = fairTime(SPEED);
const random = pooledRandom(randomFillSync);
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One upstream on this machine, with everything real. */
export function openOne(
  t: TestContext,
  text: string,
  { ca = [], ...more }: Partial<UpstreamDeps> & { ca?: readonly string[] } = {},
): Upstream {
  const parsed = parseUpstream(text);
  if (!parsed.ok) throw new Error(parsed.error);
  const { host, address } = parsed.value;
  const upstream = createUpstream(parsed.value, {
    now,
    random,
    addresses: fixedAddress(address ?? host),
    isOwn: () => false,
    context: trustedContext(ca),
    ...more,
  });
  t.after(() => upstream.stop());
  return upstream;
}
