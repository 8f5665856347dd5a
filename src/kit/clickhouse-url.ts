import { err, ok, type Result } from './result.ts';

/** Address and account of a ClickHouse server; `origin` has no password and may be logged. */
export type ClickhouseAddress = {
  readonly origin: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
};

const schemes: Readonly<Record<string, { readonly protocol: string; readonly port: string }>> = {
  'clickhouse:': { protocol: 'http:', port: '8123' },
  'clickhouses:': { protocol: 'https:', port: '8443' },
};
const DATABASE_NAME = /^\w{1,64}$/;

/** Reads `clickhouse://user:password@host:8123/database` (HTTP) or `clickhouses://…` (HTTPS, port 8443 by default). */
export function readClickhouseUrl(text: string): Result<ClickhouseAddress, string> {
  const url = URL.parse(text);
  const scheme = Object.hasOwn(schemes, url?.protocol ?? '') ? schemes[url!.protocol]! : undefined;
  if (!url || !scheme) return err('is not an address that begins with clickhouse:// or clickhouses://');
  if (url.hostname === '') return err('has no host');
  if (url.search !== '' || url.hash !== '') return err('has parameters, which are not supported');
  const database = url.pathname.replace(/^\//, '') || 'default';
  if (!DATABASE_NAME.test(database)) return err('has a database name with other characters than letters, digits and _');
  const account = readAccount(url);
  if (!account.ok) return account;
  const origin = `${scheme.protocol}//${url.hostname}:${url.port || scheme.port}`;
  return ok({ origin, database, ...account.value });
}

function readAccount({ username, password }: URL): Result<{ user: string; password: string }, string> {
  try {
    return ok({ user: decodeURIComponent(username) || 'default', password: decodeURIComponent(password) });
  } catch {
    return err('has a user or password with a % that must be written as %25');
  }
}
