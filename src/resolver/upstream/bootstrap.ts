import { classes, types } from '../../dns/numbers.ts';
import { formatIp } from '../../kit/ip-address.ts';
import { wireName } from '../../kit/wire-name.ts';
import { DialError } from './dial-error.ts';
import { BOOTSTRAP_MS, type FoundAddresses, type LookupHost } from './host-addresses.ts';
import type { Upstream } from './upstream.ts';
import { isUseful } from './upstream-answer.ts';

/** Resolves the host names of upstreams with servers whose addresses are known; uses the first address found. */
export function lookupByServers(servers: readonly Upstream[], limitMs = BOOTSTRAP_MS): LookupHost {
  const timeoutMs = limitMs / Math.max(servers.length, 1);
  return async (host) => {
    const name = wireName(host);
    if (!name) throw new DialError('no address', `${host} is not a domain name`);
    for (const server of servers) {
      const [v4, v6] = await Promise.all(
        [types.A, types.AAAA].map((type) => addressesOf(server, name, type, timeoutMs)),
      );
      const addresses = [...v4!.addresses, ...v6!.addresses];
      if (addresses.length > 0) return { addresses, ttlSeconds: Math.min(v4!.ttlSeconds, v6!.ttlSeconds) };
    }
    throw new DialError('no address', `the bootstrap servers returned no address of ${host}`);
  };
}

async function addressesOf(
  server: Upstream,
  name: Uint8Array,
  type: number,
  timeoutMs: number,
): Promise<FoundAddresses> {
  const question = { name, type, class: classes.IN, dnssecOk: false, checkingDisabled: false };
  const answer = await server.ask(question, { timeoutMs });
  const records = answer.kind === 'answer' && isUseful(answer) ? answer.message.answer : [];
  const matching = records.filter(
    (record) => record.type === type && record.data.length === (type === types.A ? 4 : 16),
  );
  return {
    addresses: matching.map(({ data }) => formatIp({ family: data.length === 4 ? 'V4' : 'V6', bytes: [...data] })),
    ttlSeconds: Math.min(...matching.map(({ ttl }) => ttl), Number.MAX_SAFE_INTEGER),
  };
}
