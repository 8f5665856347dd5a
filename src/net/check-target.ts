import { isIP, type LookupFunction } from 'node:net';
import { domainToUnicode } from 'node:url';
import type { Failure } from '../kit/retry.ts';
import type { DownloadSettings } from './download-settings.ts';
import { hostOf } from './endpoint-policy.ts';

const MAX_URL_LENGTH = 2048;

/** The reason if this URL must not be requested. Names are checked later, by their addresses: see `checkedLookup`. */
export function checkTarget(url: URL, { endpoints }: Pick<DownloadSettings, 'endpoints'>): Failure | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'bad url' };
  if (endpoints === 'any') return undefined;

  if (hasBadLabel(url.hostname)) return { kind: 'bad url' };
  // Userinfo makes a URL look like another one (http://good.example@evil.example/).
  if (url.href.length > MAX_URL_LENGTH || url.username !== '' || url.password !== '') return { kind: 'bad url' };
  // Node does not call the lookup function for IP literals, so they are checked here. URL has already normalised every
  // spelling (2130706433, 0x7f.1, fullwidth digits).
  const host = hostOf(url);
  const isRefused = isIP(host) !== 0 && !endpoints({ host, address: host, port: portOf(url) });
  return isRefused ? { kind: 'refused address' } : undefined;
}

/**
 * RFC 5890, section 2.3.2.1: an A-label is `xn--` and valid Punycode. Node's URL accepts `xn--` alone and other labels
 * that do not decode; they exist in no public zone and are not looked up.
 */
const hasBadLabel = (host: string): boolean =>
  host.split('.').some((label) => label.startsWith('xn--') && domainToUnicode(label).startsWith('xn--'));

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

/**
 * Looks a name up once and passes its addresses to the connection only if all of them are allowed, without a second
 * lookup that could return a private address (DNS rebinding).
 */
export function checkedLookup(
  url: URL,
  { endpoints, lookup }: Pick<DownloadSettings, 'endpoints' | 'lookup'>,
  refusal: () => Error,
): LookupFunction {
  if (endpoints === 'any') return lookup;
  const [host, port] = [hostOf(url), portOf(url)];
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? noAddress(), '', 0);
      if (!addresses.every(({ address }) => endpoints({ host, address, port }))) return callback(refusal(), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
}

const noAddress = (): NodeJS.ErrnoException => Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
