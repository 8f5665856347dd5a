import assert from 'node:assert/strict';
import { test } from 'node:test';
import { upstreamEventText } from './upstream-event-text.ts';

test('events of upstreams are sentences of one line', () => {
  const upstream = 'tls://9.9.9.9';
  const detail = 'tlsv1 alert\n  number 120\n';
  assert.equal(
    upstreamEventText({ kind: 'upstream out', upstream, why: 'unreachable', detail }),
    'upstream tls://9.9.9.9 does not answer: it cannot be reached (tlsv1 alert number 120)',
  );
  assert.equal(
    upstreamEventText({ kind: 'upstream back', upstream, afterMs: 12_340 }),
    'upstream tls://9.9.9.9 answers again after 12.3 s',
  );
  assert.equal(
    upstreamEventText({ kind: 'loop', name: 'www.example.org' }),
    'forwarding loop: a query of this server for www.example.org came back to it',
  );
});
