import { err, ok, type Result } from './result.ts';

/** One URL per host, in the order in which they are tried; `mustWrite`: a standby server is skipped. */
export type PostgresHosts = { readonly urls: readonly string[]; readonly mustWrite: boolean };

const URL_PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;
const ATTRIBUTE = 'target_session_attrs';
/** The other values of libpq select a standby server, which cannot store settings. */
const attributes: Readonly<Record<string, boolean>> = { any: false, 'read-write': true, primary: true };

/**
 * Reads a URL with one or several hosts (`postgres://user@one:5432,two:5432/weir?target_session_attrs=read-write`), as libpq does.
 * With several hosts the default is `read-write`.
 */
export function readPostgresUrl(url: string): Result<PostgresHosts, string> {
  const [, before, hosts, after] = URL_PARTS.exec(url) ?? [];
  if (before === undefined || hosts === undefined || after === undefined)
    return err('is not an address that begins with postgres:// or postgresql://');
  const names = hosts.split(',');
  const urls = names.map((host) => `${before}${host}${after}`);
  const isWrong = urls.some((each) => !URL.canParse(each)) || (names.length > 1 && names.includes(''));
  if (isWrong) return err('has a host that is not valid');
  const attribute = new URL(urls[0]!).searchParams.get(ATTRIBUTE) ?? (urls.length > 1 ? 'read-write' : 'any');
  if (!Object.hasOwn(attributes, attribute))
    return err(`has ${ATTRIBUTE}=${attribute}: use read-write, primary or any, because settings are written`);
  return ok({ urls, mustWrite: attributes[attribute]! });
}
