import { randomFillSync } from 'node:crypto';
import type { TestContext } from 'node:test';
import { fairTime } from '../../kit/fair-time-for-tests.ts';
import { fixedAddress } from './host-addresses.ts';
import { pooledRandom } from './random.ts';
import { trustedContext } from './trusted-context.ts';
import { createUpstream, type Upstream, type UpstreamDeps } from './upstream.ts';
import { parseUpstream } from './upstream-address.ts';

export const now = fairTime();
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
