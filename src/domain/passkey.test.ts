import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relyingParty } from './passkey.ts';

const LAN = 'http://192.168.1.2:3000';

test('an https public URL is the only address of passkeys', () => {
  const own = { id: 'dns.example.org', origin: 'https://dns.example.org:8443' };
  for (const page of ['https://dns.example.org:8443', 'https://other.example', LAN])
    assert.deepEqual(relyingParty('https://dns.example.org:8443/weir', page), own);
});

test('without an https public URL the page that asks decides', () => {
  assert.deepEqual(relyingParty(LAN, 'https://dns.home.arpa'), {
    id: 'dns.home.arpa',
    origin: 'https://dns.home.arpa',
  });
  assert.deepEqual(relyingParty(LAN, 'http://localhost:3000'), { id: 'localhost', origin: 'http://localhost:3000' });
  assert.equal(relyingParty(LAN, 'http://weir.localhost:3000')?.id, 'weir.localhost');
});

test('plain HTTP and IP addresses have no passkeys', () => {
  for (const page of [
    LAN,
    'http://dns.home.arpa',
    'https://192.168.1.2',
    'https://[fd00::1]',
    'http://127.0.0.1',
    'null',
    '',
  ])
    assert.equal(relyingParty(LAN, page), undefined, page);
});
