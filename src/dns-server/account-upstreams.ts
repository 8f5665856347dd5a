import type { DomainError, FieldError } from '../domain/domain-error.ts';
import { parseUpstream, type UpstreamAddress } from '../domain/upstream-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { publicEndpoints } from '../net/endpoint-policy.ts';
import { readUpstreamSettings, type UpstreamSettings } from '../resolver/upstream/upstream-settings.ts';
import type { DnsSetup } from './dns-setup.ts';

const MOST = 8;
// Upstreams of accounts may use only these ports: the service must not send to other services.
const PORTS = [53, 443, 853];

/** Addresses that custom upstreams of accounts may not use: an account must not reach through this service what it cannot reach itself. */
const forbiddenWith = (allowNetworks: readonly string[]) => {
  const mayAsk = publicEndpoints({ ports: PORTS, allowNetworks });
  return (address: string, port: number): boolean => !mayAsk({ host: address, address, port });
};

/** The operator's settings with other upstreams. Names are checked by the address they resolve to, on every connection. */
export function accountUpstreams({
  upstreams,
  allowNetworks,
  listening,
}: Pick<DnsSetup, 'upstreams' | 'allowNetworks' | 'listening'>) {
  const isForbidden = forbiddenWith(allowNetworks);
  return (own: readonly string[]): UpstreamSettings | undefined => {
    const read = readUpstreamSettings({ ...upstreams, upstreams: own, fallback: [], forward: [] }, { listening });
    return read.ok ? { ...read.value, isForbidden } : undefined;
  };
}

/** The normalised upstreams, or an error for each invalid one. */
export function checkUpstreams(
  texts: readonly string[],
  allowNetworks: readonly string[],
): Result<readonly string[], DomainError> {
  const isForbidden = forbiddenWith(allowNetworks);
  const read = texts.map((text) => parseUpstream(text));
  const errors = read.flatMap((one, at): FieldError[] => {
    const message = one.ok ? whyForbidden(one.value, isForbidden) : one.error;
    return message === undefined ? [] : [{ field: `upstreams[${at}]`, kind: 'wrong value', message }];
  });
  if (texts.length > MOST)
    errors.push({ field: 'upstreams', kind: 'limit reached', message: `at most ${MOST} upstreams` });
  if (errors.length > 0) return err({ kind: 'invalid', errors });
  return ok([...new Set(read.flatMap((one) => (one.ok ? one.value.text : [])))]);
}

function whyForbidden(
  { host, address, port, text }: UpstreamAddress,
  isForbidden: ReturnType<typeof forbiddenWith>,
): string | undefined {
  const at = address ?? (/^[\d.]+$|:/.test(host) ? host : undefined);
  if (at === undefined)
    return PORTS.includes(port) ? undefined : `upstream "${text}": its port must be one of ${PORTS.join(', ')}`;
  return isForbidden(at, port)
    ? `upstream "${text}": only public addresses at the ports ${PORTS.join(', ')} can be named here`
    : undefined;
}
