import type { IncomingMessage } from 'node:http';
import { checkTarget } from './check-target.ts';
import type { Copy } from './copies-on-disk.ts';
import { openResponse } from './open-response.ts';
import { type Reading, readBody } from './read-response-body.ts';
import { requestHeaders, withoutUserinfo } from './request-headers.ts';
import type { Turn } from './semaphore.ts';

export type Fetched = { freshness: 'fresh' | 'not modified'; copy: Copy };

export type Asking = Reading & { signal: AbortSignal; copy: Copy | undefined; turn: Turn };

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** One attempt: follows redirects to a complete body, or throws a DownloadError. */
export async function fetchOnce(start: URL, asking: Asking): Promise<Fetched> {
  const { settings, signal, turn, fail } = asking;
  let url = start;
  for (let followed = 0; ; followed++) {
    const refusal = checkTarget(url, settings);
    if (refusal) throw fail(followed > 0 && refusal.kind === 'bad url' ? { kind: 'refused redirect' } : refusal);

    await turn.moveTo(url.origin, signal);
    // Validators are only valid for the URL that sent them; another URL may use the same tags.
    const copy = asking.copy?.url === url.href ? asking.copy : undefined;
    const headers = requestHeaders(url, settings.userAgent, copy);
    const response = await openResponse({ url: withoutUserinfo(url), headers, signal }, settings, fail);
    try {
      const location = redirectStatuses.has(response.statusCode ?? 0) ? response.headers.location : undefined;
      if (location === undefined) return await settle(url, response, { ...asking, copy });
      if (followed === settings.maxRedirects) throw fail({ kind: 'too many redirects' });
      const next = resolveRedirect(location, url, settings.allowDowngrade);
      if (!next) throw fail({ kind: 'refused redirect' });
      url = next;
    } finally {
      response.destroy();
    }
  }
}

async function settle(url: URL, response: IncomingMessage, asking: Asking): Promise<Fetched> {
  const { settings, copy, fail } = asking;
  const { statusCode: status = 0, headers } = response;
  if (status === 304 && (copy?.etag !== undefined || copy?.lastModified !== undefined)) {
    return { freshness: 'not modified', copy };
  }
  if (status !== 200) {
    const retryAfterMs = parseRetryAfter(headers['retry-after'], settings.now());
    throw fail({ kind: 'status', status, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  }
  return {
    freshness: 'fresh',
    copy: {
      bytes: await readBody(response, asking),
      url: url.href,
      contentType: headers['content-type'],
      ...(headers.etag !== undefined && { etag: headers.etag }),
      ...(headers['last-modified'] !== undefined && { lastModified: headers['last-modified'] }),
    },
  };
}

function resolveRedirect(location: string, from: URL, allowDowngrade: boolean): URL | undefined {
  // Node decodes header bytes as Latin-1; a non-ASCII Location is UTF-8.
  const next = URL.parse(Buffer.from(location, 'latin1').toString(), from.href);
  if (!next || (!allowDowngrade && from.protocol === 'https:' && next.protocol !== 'https:')) return undefined;
  next.hash = '';
  // Credentials belong to their origin and are dropped when a redirect leaves it.
  if (next.origin === from.origin && next.username === '' && next.password === '') {
    next.username = from.username;
    next.password = from.password;
  }
  return next;
}

/** RFC 9110, 10.2.3: seconds or a date. Anything else is ignored. */
function parseRetryAfter(field: string | undefined, now: number): number | undefined {
  if (field === undefined) return undefined;
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const date = Date.parse(field);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
