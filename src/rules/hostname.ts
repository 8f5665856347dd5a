import { getEmptyResult, type IPublicSuffix, type ISuffixLookupOptions, parseImpl } from 'tldts-core';
import { publicSuffix } from './public-suffix.ts';

export type HostnameRules = {
  readonly allowIp: boolean;
  /** Listed public suffixes such as `co.uk` pass. */
  readonly allowPublicSuffix: boolean;
  /** The rule limits itself to some names or clients, so that it may stand on any suffix. */
  readonly limited: boolean;
};

/** Why a host name cannot be blocked, in words; undefined when it can. */
export function whyNoHostname(text: string, rules: HostnameRules): string | undefined {
  const { hostname, isIp, publicSuffix: suffix, isIcann } = parseHostname(text);
  if (!hostname || !/[a-z0-9]/i.test(hostname)) return `"${text}" is not a host name`;
  if (isIp) return rules.allowIp ? undefined : `"${text}" is an IP address`;
  if (hostname !== suffix || rules.limited) return undefined;
  if (!isIcann) return `"${text}" is a single word that no registry lists as a top-level domain`;
  return rules.allowPublicSuffix ? undefined : `"${text}" is a public suffix: the rule would block every site under it`;
}

const UP_TO_THE_SUFFIX = 2;

/** What a text names: URLs count by their host, as the original reads them. */
export const parseHostname = (text: string) => parseImpl(text, UP_TO_THE_SUFFIX, lookUpSuffix, {}, getEmptyResult());

function lookUpSuffix(hostname: string, _: ISuffixLookupOptions, out: IPublicSuffix): void {
  const { suffix, listed } = publicSuffix(hostname);
  out.publicSuffix = suffix;
  out.isIcann = listed;
  out.isPrivate = false;
}
