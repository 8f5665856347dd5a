import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { deviceNumber, profileNumber } from '../../../test/support/store/accounts.ts';
import type { Device } from '../../domain/device.ts';
import { proofName } from '../../domain/link-proof.ts';
import { linkedAddressToWire } from './linked-address.ts';

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const service = { publicUrl: () => 'https://weir.example', sha256 };
const shown = (changes: Partial<Device>, mayWrite: boolean) =>
  linkedAddressToWire(deviceNumber(1, profileNumber(2, 'anna'), { linkToken: 'token', ...changes }), service, mayWrite);
const link_url = 'https://weir.example/linkip/00000001/token';
const proof_name = proofName('token', sha256);

test('a device without an address has only the auto-link URL', () => {
  assert.deepEqual(shown({}, true), { link_url });
});

test('a linked address needs no proof', () => {
  assert.deepEqual(shown({ linkedIp: '192.0.2.1' }, true), { link_url, ip: '192.0.2.1' });
});

test('a pending address and a DDNS name have the domain name that verifies them', () => {
  assert.deepEqual(shown({ pendingIp: '192.0.2.2' }, true), { link_url, pending_ip: '192.0.2.2', proof_name });
  assert.deepEqual(shown({ linkedIp: '192.0.2.1', ddnsName: 'home.example' }, true), {
    link_url,
    ip: '192.0.2.1',
    proof_name,
    ddns: 'home.example',
  });
});

test('callers that may not write see the addresses and none of the secrets', () => {
  assert.deepEqual(shown({ linkedIp: '192.0.2.1', pendingIp: '192.0.2.2', ddnsName: 'home.example' }, false), {
    ip: '192.0.2.1',
    pending_ip: '192.0.2.2',
    ddns: 'home.example',
  });
  assert.deepEqual(shown({}, false), {});
});
