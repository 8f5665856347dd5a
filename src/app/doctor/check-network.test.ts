import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from './ask-server.ts';
import { covers } from './check-certificate.ts';
import { checkClock } from './check-machine.ts';
import { portFinding, upstreamFinding } from './check-network.ts';

const NOON = Date.UTC(2026, 10, 1, 12);

test('a port that is in use is a problem only while the service does not run', () => {
  assert.equal(portFinding('plain DNS', 'in use', true).state, 'ok');
  assert.equal(portFinding('plain DNS', 'in use', false).state, 'problem');
  assert.equal(portFinding('plain DNS', 'free', false).state, 'ok');
  assert.equal(portFinding('plain DNS', 'free', true).state, 'warning');
  assert.match(portFinding('plain DNS', 'not allowed', false).advice!, /as root/);
});

test('an upstream that does not answer is a problem with its reason', () => {
  assert.equal(upstreamFinding('tls://9.9.9.9', { kind: 'answer', ms: 12 }).text, 'tls://9.9.9.9 answers in 12 ms');
  const failed = upstreamFinding('tls://9.9.9.9', { kind: 'failed', why: 'timeout' });
  assert.deepEqual([failed.state, failed.text], ['problem', 'tls://9.9.9.9 does not answer: timeout']);
});

test('a clock in the past, or more than a minute off, is a problem', () => {
  assert.equal(checkClock(0, undefined).state, 'problem');
  assert.equal(checkClock(NOON, NOON + 61_000).state, 'problem');
  assert.equal(checkClock(NOON, NOON + 2_000).state, 'ok');
});

test('a wildcard certificate covers one label', () => {
  assert.ok(covers('dns.example.org', 'dns.example.org'));
  assert.ok(covers('*.example.org', 'dns.example.org'));
  assert.ok(!covers('*.example.org', 'a.dns.example.org'));
  assert.ok(!covers('*.example.org', 'example.org'));
});

test('an error of OpenSSL is shown without numbers and files', () => {
  const detail =
    '405D133D437F0000:error:0A000460:SSL routines:ssl3_read_bytes:tlsv1 alert no application protocol:../deps/ssl.c:918:SSL alert number 120\n';
  assert.equal(plainText(detail), 'tlsv1 alert no application protocol');
  assert.equal(plainText('recvmsg ECONNREFUSED'), 'recvmsg ECONNREFUSED');
});
