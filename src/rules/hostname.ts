import { getEmptyResult, type IPublicSuffix, type ISuffixLookupOptions, parseImpl } from 'tldts-core';
import { publicSuffix } from './public-suffix.ts';

export type HostnameRules = {
  readonly allowIp: boolean;
  /** Whether to accept listed public suffixes such as `co.uk`. */
  readonly allowPublicSuffix: boolean;
  /** Whether the rule has modifiers that restrict it, so that it may apply to any suffix. */
  readonly limited: boolean;
};

/** The reason why a host name cannot be blocked; undefined if it can. */
export function whyNoHostname(text: string, rules: HostnameRules): string | undefined {
  const { hostname, isIp, publicSuffix: suffix, isIcann } = parseHostname(text);
  if (!hostname || !/[a-z0-9]/i.test(hostname)) return `"${text}" is not a host name`;
  if (isIp) return rules.allowIp ? undefined : `"${text}" is an IP address`;
  if (hostname !== suffix || rules.limited) return undefined;
  if (!isIcann) return `"${text}" is a single word that no registry lists as a top-level domain`;
  return rules.allowPublicSuffix ? undefined : `"${text}" is a public suffix: the rule would block every site under it`;
}

const UP_TO_THE_SUFFIX = 2;

/** The host name of a text or URL, parsed like the original. */
export const parseHostname = (text: string) => parseImpl(text, UP_TO_THE_SUFFIX, lookUpSuffix, {}, getEmptyResult());

function lookUpSuffix(hostname: string, _: ISuffixLookupOptions, out: IPublicSuffix): void {
  const { suffix, listed } = publicSuffix(hostname);
  out.publicSuffix = suffix;
  out.isIcann = listed;
  out.isPrivate = false;
}
