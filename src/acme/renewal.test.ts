import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { opensslAuthority } from '../../test/support/acme/openssl-authority.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { createAcmeClient } from './acme-client.ts';
import { readAccountKey } from './acme-files.ts';
import { createAcmeRequest } from './acme-request.ts';
import { adviceFor } from './advice.ts';
import { certificateId, renewalTime, suggestedPeriod, suggestionWait, waitAfterFailure } from './renewal.ts';
import { retryAfterMs } from './retry-after.ts';

const life = { start: 0, end: 90 * DAY_MS };

test('a certificate is renewed at two thirds of its life, or in the suggested period', () => {
  const usual = { obtainedAt: 0, suggested: undefined };
  assert.equal(renewalTime(life, usual, 0), 60 * DAY_MS);
  assert.equal(renewalTime(life, usual, 0.999) < 61 * DAY_MS, true);
  const suggested = { start: 10 * DAY_MS, end: 12 * DAY_MS };
  assert.equal(renewalTime(life, { obtainedAt: 0, suggested }, 0), 10 * DAY_MS);
  assert.equal(renewalTime(life, { obtainedAt: 0, suggested }, 0.5), 11 * DAY_MS);
});

test('a certificate that appears to be old is used for at least half a day', () => {
  const late = 1000 * DAY_MS;
  const suggested = { start: 0, end: DAY_MS };
  for (const given of [undefined, suggested])
    assert.equal(renewalTime(life, { obtainedAt: late, suggested: given }, 0), late + 12 * HOUR_MS);
  const short = { start: 0, end: 2 * HOUR_MS };
  assert.equal(renewalTime(short, { obtainedAt: late, suggested }, 0), late + HOUR_MS);
});

test('waits after failures grow to a day, with jitter, and are at least the Retry-After of the authority', () => {
  const minutes = [1, 2, 3, 20].map((failures) => waitAfterFailure(failures, undefined, 0.5) / MINUTE_MS);
  assert.deepEqual(minutes, [5, 10, 20, 24 * 60]);
  assert.equal(waitAfterFailure(1, undefined, 0) / MINUTE_MS, 3.75);
  assert.equal(waitAfterFailure(1, 2 * DAY_MS, 0.5), 2 * DAY_MS);
});

test('Retry-After is seconds or a date', () => {
  assert.equal(retryAfterMs('120', 0), 120_000);
  assert.equal(retryAfterMs('Thu, 01 Jan 1970 00:01:00 GMT', 0), MINUTE_MS);
  assert.equal(retryAfterMs('99999999', 0), 7 * DAY_MS);
  assert.equal(retryAfterMs('soon', 0), undefined);
  assert.deepEqual([0, 60_000, 12 * HOUR_MS, 9 * DAY_MS].map(suggestionWait), [
    6 * HOUR_MS,
    HOUR_MS,
    12 * HOUR_MS,
    DAY_MS,
  ]);
});

test('the suggested period is read from the authority by the id of the certificate', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'renewal-'));
  t.after(() => rm(folder, { recursive: true }));
  const { ca, cert, key, keyId, serial } = opensslAuthority(folder);
  const id = certificateId(cert)!;
  assert.equal(id, `${keyId}.${serial}`);
  const asked: string[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    asked.push(request.url ?? '');
    const period = { start: '2026-01-02T00:00:00Z', end: '2026-01-03T00:00:00Z' };
    response.setHeader('retry-after', '21600');
    response.end(
      JSON.stringify(request.url === '/dir' ? { renewalInfo: `${origin}/info/` } : { suggestedWindow: period }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  const client = createAcmeClient({
    directory: `${origin}/dir`,
    accountKey: await readAccountKey(folder),
    email: undefined,
    externalAccount: undefined,
    request: createAcmeRequest(new AbortController().signal, 'weir/test', ca),
    now: Date.now,
  });
  const received = (await client.renewalInfo(id))!;
  assert.deepEqual(asked, ['/dir', `/info/${id}`]);
  assert.deepEqual(suggestedPeriod(received.json), { start: Date.UTC(2026, 0, 2), end: Date.UTC(2026, 0, 3) });
  assert.equal(received.retryAfterMs, 6 * HOUR_MS);
});

test('a window that ends before it starts is ignored', () => {
  assert.equal(suggestedPeriod({ suggestedWindow: { start: '2026-01-02', end: '2026-01-01' } }), undefined);
  assert.equal(suggestedPeriod({ suggestedWindow: 'soon' }), undefined);
});

test('problems have a remedy for the operator', () => {
  const context = { domain: 'a.example', host: 'ns.example', zone: undefined };
  const advice = (type: string, challenge: 'http-01' | 'tls-alpn-01' | 'dns-01', zone?: string): string =>
    [
      adviceFor(type, { ...context, challenge, zone })?.text,
      ...(adviceFor(type, { ...context, challenge, zone })?.records ?? []),
    ].join(' ');
  assert.match(advice('connection', 'http-01'), /port 80/);
  assert.match(advice('connection', 'tls-alpn-01'), /Port 443 of a\.example/);
  assert.match(advice('dns', 'tls-alpn-01'), /A or AAAA record for a\.example/);
  assert.match(advice('unauthorized', 'dns-01'), / _acme-challenge\.a\.example\. NS ns\.example\.$/);
  const byAlias = advice('unauthorized', 'dns-01', 'acme.example');
  assert.match(
    byAlias,
    / _acme-challenge\.a\.example\. CNAME a\.example\.acme\.example\. acme\.example\. NS ns\.example\.$/,
  );
  assert.match(advice('rateLimited', 'http-01'), /letsencrypt-staging/);
  assert.equal(adviceFor('serverInternal', { ...context, challenge: 'http-01' }), undefined);
});
