import type { DomainError, FieldError } from '../domain/domain-error.ts';
import { parseUpstream, type UpstreamAddress } from '../domain/upstream-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { publicEndpoints } from '../net/endpoint-policy.ts';
import { readUpstreamSettings, type UpstreamSettings } from '../resolver/upstream/upstream-settings.ts';
import type { DnsSetup } from './dns-setup.ts';

const MOST = 8;
// Nobody outside has any business at others with what we send.
const PORTS = [53, 443, 853];

/** Where upstreams of an account's choice may not be: it must not reach through us what it cannot reach itself. */
const forbiddenWith = (allowNetworks: readonly string[]) => {
  const mayAsk = publicEndpoints({ ports: PORTS, allowNetworks });
  return (address: string, port: number): boolean => !mayAsk({ host: address, address, port });
};

/** The operator's settings with other upstreams. Names are judged by where they lead, each time they are connected to. */
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

/** As they are kept, or what is wrong with each. */
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
    return PORTS.includes(port) ? undefined : `upstream "${text}": its port is none of ${PORTS.join(', ')}`;
  return isForbidden(at, port)
    ? `upstream "${text}": only public addresses at the ports ${PORTS.join(', ')} can be named here`
    : undefined;
}
