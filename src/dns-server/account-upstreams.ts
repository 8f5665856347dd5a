import { privateNetworks } from '../domain/client-networks.ts';
import type { DomainError, FieldError } from '../domain/domain-error.ts';
import { parseUpstream, type UpstreamAddress } from '../domain/upstream-address.ts';
import { isPrivateAddress } from '../kit/private-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { publicEndpoints } from '../net/endpoint-policy.ts';
import { addressBytes } from '../resolver/identity/address-key.ts';
import { selfAddresses } from '../resolver/upstream/self-addresses.ts';
import type { UpstreamGroup } from '../resolver/upstream/upstream-group.ts';
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
type IsForbidden = ReturnType<typeof forbiddenWith>;

/** The operator's settings with other upstreams. Names are checked by the address they resolve to, on every connection. */
export function accountUpstreams({
  upstreams,
  allowNetworks,
  listening,
}: Pick<DnsSetup, 'upstreams' | 'allowNetworks' | 'listening'>) {
  const isForbidden = forbiddenWith(allowNetworks);
  return ({ upstreams: upstreamsOfGroup, strategy, kind }: Omit<UpstreamGroup, 'id'>): UpstreamSettings | undefined => {
    const texts = {
      ...upstreams,
      ...(strategy && { strategy }),
      upstreams: upstreamsOfGroup,
      fallback: [],
      forward: [],
    };
    const read = readUpstreamSettings(texts, { listening });
    if (!read.ok) return undefined;
    return kind === 'forward' ? forwarding(read.value, isForbidden) : { ...read.value, isForbidden };
  };
}

/** A private address may be used where the rule names it: the account was allowed to name it. A name must lead to a public one. */
function forwarding(settings: UpstreamSettings, isForbidden: IsForbidden): UpstreamSettings {
  const named = new Set(settings.upstreams.flatMap((upstream) => literalAddress(upstream) ?? []));
  const arePrivate = settings.upstreams.every((upstream) => isPrivateText(literalAddress(upstream)));
  return {
    ...settings,
    forwardsLocalZones: true,
    // Home routers do not always preserve the case of names.
    mixCase: settings.mixCase && !arePrivate,
    isForbidden: (address, port) => !named.has(address) && isForbidden(address, port),
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

function whyForbidden({ host, address, port, text }: UpstreamAddress, isForbidden: IsForbidden): string | undefined {
  const at = literalAddress({ host, address });
  if (at === undefined) {
    // Public resolvers have names with a dot; names without one are mistyped, or values such as NaN and true.
    if (!host.includes('.')) return `upstream "${text}": must be an IP address or a full name such as dns.example`;
    return PORTS.includes(port) ? undefined : `upstream "${text}": its port must be one of ${PORTS.join(', ')}`;
  }
  return isForbidden(at, port)
    ? `upstream "${text}": only public addresses at the ports ${PORTS.join(', ')} can be named here`
    : undefined;
}

const literalAddress = ({ host, address }: Pick<UpstreamAddress, 'host'> & { readonly address?: string | undefined }) =>
  address ?? (/^[\d.]+$|:/.test(host) ? host : undefined);

function isPrivateText(address: string | undefined): boolean {
  const bytes = address === undefined ? undefined : addressBytes(address.replace(/%.*/, ''));
  return bytes !== undefined && isPrivateAddress(bytes, 0, bytes.length);
}

/** Upstreams of a forwarding rule: the same, and private addresses at any port if the account may use them; never this server itself. */
export function checkForwardUpstreams(
  texts: readonly string[],
  { allowNetworks, mayBePrivate, listening }: ForwardLimits,
): Result<readonly string[], DomainError> {
  const isOwn = selfAddresses(listening);
  const errors = texts.flatMap((text, at): FieldError[] => {
    const read = parseUpstream(text);
    const address = read.ok ? literalAddress(read.value) : undefined;
    return read.ok && address !== undefined && isOwn(address, read.value.port)
      ? [
          {
            field: `upstreams[${at}]`,
            kind: 'wrong value',
            message: 'this server answers there itself: queries would loop',
          },
        ]
      : [];
  });
  if (errors.length > 0) return err({ kind: 'invalid', errors });
  return checkUpstreams(texts, mayBePrivate ? [...allowNetworks, ...privateNetworks] : allowNetworks);
}

type ForwardLimits = {
  readonly allowNetworks: readonly string[];
  readonly mayBePrivate: boolean;
  /** Addresses on which this server answers. */
  readonly listening: readonly { readonly address: string; readonly port: number }[];
};
