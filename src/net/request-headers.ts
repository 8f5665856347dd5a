import type { OutgoingHttpHeaders } from 'node:http';
import { unescape as percentDecode } from 'node:querystring';
import type { Copy } from './copies-on-disk.ts';

/** Headers of a GET. Cookies are neither stored nor sent. */
export function requestHeaders(url: URL, userAgent: string, copy: Copy | undefined): OutgoingHttpHeaders {
  return {
    'User-Agent': userAgent,
    Accept: '*/*',
    'Accept-Encoding': 'gzip, br, deflate',
    ...((url.username !== '' || url.password !== '') && { Authorization: basic(url) }),
    ...(copy?.etag !== undefined && { 'If-None-Match': copy.etag }),
    ...(copy?.lastModified !== undefined && { 'If-Modified-Since': copy.lastModified }),
  };
}

export function withoutUserinfo(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

// querystring's unescape, because decodeURIComponent throws on a stray percent sign.
const basic = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${percentDecode(username)}:${percentDecode(password)}`).toString('base64')}`;
