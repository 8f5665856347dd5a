import { byteKey } from './byte-key.ts';

/** Groups for the names under certain domains; the longest domain decides. */
export type ForwardTable<T> = {
  readonly find: (name: Uint8Array) => T | undefined;
};

/** All names must be uncompressed and in lower case. */
export function forwardTable<T>(entries: readonly { readonly domain: Uint8Array; readonly to: T }[]): ForwardTable<T> {
  const byDomain = new Map(entries.map(({ domain, to }) => [byteKey(domain, 0), { to }]));
  return {
    find(name) {
      if (byDomain.size === 0) return undefined;
      for (let at = 0; at < name.length; at += name[at]! + 1) {
        const value = byDomain.get(byteKey(name, at));
        if (value) return value.to;
        if (name[at] === 0) return undefined;
      }
      return undefined;
    },
  };
}
