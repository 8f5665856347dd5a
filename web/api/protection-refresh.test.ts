import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProtectionReasonCode } from '../../src/client/operations.ts';
import { protectionRefreshMs } from './protection-refresh.ts';

const state = (...codes: ProtectionReasonCode[]) => ({ reasons: codes.map((code) => ({ code })) });

test('states that change within seconds are asked for more often', () => {
  for (const code of ['resolver_unavailable', 'nothing_loaded', 'lists_not_loaded'] as const)
    assert.equal(protectionRefreshMs([state(), state('parental_paused', code)]), 4000, code);
  for (const code of ['device_off', 'dns_server_paused', 'not_seen', 'upstreams_down'] as const)
    assert.equal(protectionRefreshMs([state(code)]), 30_000, code);
  assert.equal(protectionRefreshMs([]), 30_000);
  assert.equal(protectionRefreshMs(undefined), 30_000);
});
