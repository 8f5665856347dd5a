import { LRUCache } from 'lru-cache';
import { ok, type Result } from '../kit/result.ts';
import { authenticate, type Caller, recordUse } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import type { Raw } from './operation.ts';

type Known = { readonly version: number; readonly caller: Result<Caller, never> };
type Reply = { readonly version: number; readonly hosts: Deps['dns']['hosts']; readonly raw: Raw };

const MAX_CALLERS = 10_000;
const MAX_REPLY_BYTES = 32 * 1024 * 1024;
// Bytes per character, and per entry.
const [CHARACTER_BYTES, ENTRY_BYTES] = [2, 400];

export type RequestCache = ReturnType<typeof requestCache>;

/**
 * Caches authentication and replies until the next commit of any process, because reads return the same data until then. If the version of
 * the store is not known, as with PostgreSQL, nothing is cached.
 */
export function requestCache(deps: Deps) {
  const callers = new LRUCache<string, Known>({ max: MAX_CALLERS });
  const replies = new LRUCache<string, Reply>({
    maxSize: MAX_REPLY_BYTES,
    sizeCalculation: ({ raw }, key) => ((raw.content as string).length + key.length) * CHARACTER_BYTES + ENTRY_BYTES,
  });

  return {
    /** Cache access of one request. The version is read first, so that a commit in the meantime invalidates the entries. */
    open(credentials: readonly string[]) {
      const version = deps.store.version();
      const credential = credentials.length === 1 ? credentials[0] : undefined;
      const replyKey = (url: string): string => `${credential} ${url}`;
      return {
        caller(): Result<Caller, ApiError> | undefined {
          const cached = credential === undefined ? undefined : callers.get(credential);
          if (!cached || cached.version !== version || !cached.caller.ok) return undefined;
          const { value } = cached.caller;
          if ('expiresAt' in value.with && value.with.expiresAt <= deps.now()) return undefined;
          recordUse(deps, value);
          return cached.caller;
        },
        async authenticate(): Promise<Result<Caller, ApiError>> {
          const caller = await authenticate(deps, credentials);
          if (caller.ok && credential !== undefined && version !== undefined)
            callers.set(credential, { version, caller: ok(caller.value) });
          return caller;
        },
        reply(url: string): Raw | undefined {
          const found = replies.get(replyKey(url));
          return found && found.version === version && found.hosts === deps.dns.hosts ? found.raw : undefined;
        },
        storeReply(url: string, value: unknown, headers: Raw['headers']): Raw {
          const raw = { headers: { 'content-type': 'application/json', ...headers }, content: JSON.stringify(value) };
          if (credential !== undefined && version !== undefined)
            replies.set(replyKey(url), { version, hosts: deps.dns.hosts, raw });
          return raw;
        },
      };
    },
  };
}
