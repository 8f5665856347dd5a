import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountUpstreams, checkForwardUpstreams, checkUpstreams } from './account-upstreams.ts';

const settingsFor = accountUpstreams({ upstreams: { upstreams: ['9.9.9.9'] }, allowNetworks: [], listening: [] });
const listening = [{ address: '127.0.0.1', port: 5300 }];

test('a forwarding rule reaches the private addresses that it names, and public ones', () => {
  const settings = settingsFor({
    upstreams: ['192.168.1.1', 'tls://dns.example#10.0.0.1'],
    strategy: undefined,
    kind: 'forward',
  });
  assert.ok(settings?.isForbidden && settings.forwardsLocalZones);
  assert.equal(settings.mixCase, false, 'routers do not always preserve the case of names');
  const forbidden = [
    ['192.168.1.1', 53],
    ['10.0.0.1', 853],
    ['9.9.9.9', 53],
    ['192.168.1.2', 53],
    ['127.0.0.1', 53],
    ['9.9.9.9', 22],
  ] as const;
  assert.deepEqual(
    forbidden.map(([address, port]) => settings.isForbidden!(address, port)),
    [false, false, false, true, true, true],
  );
});

test('custom upstreams never reach private addresses, and local zones are answered here', () => {
  const settings = settingsFor({ upstreams: ['192.168.1.1'], strategy: undefined, kind: 'custom' });
  assert.equal(settings?.isForbidden?.('192.168.1.1', 53), true);
  assert.equal(settings?.forwardsLocalZones, undefined);
});

test('the strategy is that of the account, else that of the operator', () => {
  const withOperators = accountUpstreams({
    upstreams: { upstreams: ['9.9.9.9'], strategy: 'ordered' },
    allowNetworks: [],
    listening: [],
  });
  for (const kind of ['custom', 'forward'] as const) {
    const strategyOf = (strategy: 'parallel' | undefined) =>
      withOperators({ upstreams: ['9.9.9.9', '1.1.1.1'], strategy, kind })?.strategy;
    assert.equal(strategyOf('parallel'), 'parallel');
    assert.equal(strategyOf(undefined), 'ordered');
  }
});

const errorsFor = (mayBePrivate: boolean, ...texts: string[]): readonly string[] => {
  const checked = checkForwardUpstreams(texts, { allowNetworks: [], mayBePrivate, listening });
  if (checked.ok) return [];
  return checked.error.kind === 'invalid' ? checked.error.errors.map(({ field }) => field) : [checked.error.kind];
};

test('private upstreams are for accounts that may assign private networks; this server itself is refused', () => {
  assert.deepEqual(errorsFor(true, '192.168.1.1', '127.0.0.1:5353', '9.9.9.9'), []);
  assert.deepEqual(errorsFor(false, '192.168.1.1', '9.9.9.9', '9.9.9.9:5353'), ['upstreams[0]', 'upstreams[2]']);
  assert.deepEqual(errorsFor(true, '9.9.9.9', '127.0.0.1:5300'), ['upstreams[1]']);
});

test('a name without a dot is refused, each with its path', () => {
  const checked = checkUpstreams(['NaN', 'true', 'tls://a', 'tls://a#9.9.9.9', 'tls://dns.example', '9.9.9.9'], []);
  assert.ok(!checked.ok && checked.error.kind === 'invalid');
  assert.deepEqual(
    checked.error.errors.map(({ field, message }) => `${field}: ${message}`),
    ['nan', 'true', 'tls://a'].map(
      (text, at) => `upstreams[${at}]: upstream "${text}": must be an IP address or a full name such as dns.example`,
    ),
  );
});
