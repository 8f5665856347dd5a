import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../kit/retry.ts';
import { DownloadError, isRefusal } from './download-error.ts';

const url = 'https://list.example/ads.txt';
const messageOf = (failure: Failure, of = url) => new DownloadError(of, failure).message;

test('a status other than 200 has the message that scripts look for', () => {
  assert.equal(messageOf({ kind: 'status', status: 404 }), `Response status for url ${url} is invalid: 404`);
});

const refusals: Failure[] = [{ kind: 'refused redirect' }, { kind: 'refused address' }, { kind: 'bad url' }];
const others: Failure[] = [
  { kind: 'timeout' },
  { kind: 'unreachable', code: 'EHOSTUNREACH' },
  { kind: 'truncated' },
  { kind: 'too large' },
  { kind: 'bad encoding' },
  { kind: 'bad response' },
  { kind: 'tls', code: 'CERT_HAS_EXPIRED' },
  { kind: 'too many redirects' },
];

test('forbidden addresses and failures are distinct', () => {
  const refused = [...refusals, ...others].filter((failure) => isRefusal(new DownloadError(url, failure)));
  assert.deepEqual(refused, refusals);
});

test('every other failure begins with the prefix that scripts search for, followed by plain text', () => {
  const failures = [...others, ...refusals];
  const endings = failures.map((failure) => messageOf(failure).split(`Failed to request url '${url}': `)[1] ?? '');
  assert.equal(new Set(endings).size, failures.length);
  for (const ending of endings) assert.match(ending, /^[a-z][A-Za-z ,-]+(\([A-Z_]+\))?$/);
});

test('a password in the URL stays out of the message, also when the URL is invalid', () => {
  for (const of of [
    'http://user:secret@list.example/',
    'http:\\\\user:secret@list.example/',
    ' http://u:secret@a b/',
  ]) {
    assert.doesNotMatch(messageOf({ kind: 'bad url' }, of), /secret/);
  }
  assert.match(messageOf({ kind: 'timeout' }, 'http://user:secret@list.example/'), /'http:\/\/list\.example\/'/);
  assert.match(messageOf({ kind: 'timeout' }, 'http://list.example/@a'), /'http:\/\/list\.example\/@a'/);
});
