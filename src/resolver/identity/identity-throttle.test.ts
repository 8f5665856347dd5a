import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBytes } from './address-key.ts';
import { type IdentifyingParts, identifySettings } from './identify.ts';
import { createIdentityThrottle, NO_CLAIM, THROTTLED } from './identity-throttle.ts';

const settings = identifySettings({
  deviceDomain: 'd.example.org',
  deviceNetwork: '2001:db8:0:1::/96',
  dedicatedPool: [],
  unknownClients: 'refuse',
});
const PER_MINUTE = 20;
const START = 1_790_000_000_000;
const ip = (text: string): Uint8Array => addressBytes(text)!;

type Presented = Partial<Omit<IdentifyingParts, 'bytes'>> & { readonly option?: string };

const ways: Readonly<Record<string, (id: string) => Presented>> = {
  'EDNS option over UDP': (id) => ({ transport: 'udp', option: id }),
  'EDNS option over TCP': (id) => ({ transport: 'tcp', option: id }),
  'server name over TLS': (id) => ({ transport: 'dot', serverName: `${id}.d.example.org` }),
  'server name over HTTPS': (id) => ({ transport: 'doh', serverName: `${id}.D.example.org` }),
  'path over HTTPS': (id) => ({ transport: 'doh', path: id }),
  'user over HTTPS': (id) => ({ transport: 'doh', login: { user: id, password: 'x' } }),
  'password over HTTPS': (id) => ({ transport: 'doh', login: { user: '00000001', password: id } }),
  'address of the device': (id) => ({ transport: 'udp', local: ip(`2001:db8:0:1::${id.slice(0, 4)}:${id.slice(4)}`) }),
};

/** Presents an id as the resolver does: looks it up only where the throttle allows that. */
function throttled(valid: ReadonlySet<string>) {
  let now = START;
  const secret = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  const throttle = createIdentityThrottle({ settings, perMinute: PER_MINUTE, secret, nowMs: () => now });
  const present = (id: string, given: Presented, client = '203.0.113.5'): 'known' | 'unknown' | 'throttled' => {
    const { option = '', ...rest } = given;
    const bytes = Buffer.from(option);
    const request = { bytes, transport: 'udp', local: ip('203.0.113.53'), client: ip(client), ...rest } as const;
    const claim = throttle.begin(request, { deviceAt: 0, deviceLength: bytes.length });
    if (claim === THROTTLED) return 'throttled';
    assert.notEqual(claim, NO_CLAIM);
    throttle.end(claim, request, valid.has(id));
    return valid.has(id) ? 'known' : 'unknown';
  };
  const wait = (ms: number): void => {
    now += ms;
  };
  return { present, counts: throttle.counts, wait };
}

const wrong = (nth: number): string => (0xbad0_0000 + nth).toString(16);
const USED = '0000aaa1';
const FRESH = '0000aaa2';

for (const [way, given] of Object.entries(ways))
  test(`${way}: ${PER_MINUTE} wrong ones, then only those that were right before`, (t) => {
    const { present, counts, wait } = throttled(new Set([USED, FRESH]));
    assert.equal(present(USED, given(USED)), 'known');
    const outcomes = Array.from({ length: 2000 }, (_, nth) => present(wrong(nth), given(wrong(nth))));
    const lookedUp = outcomes.filter((outcome) => outcome !== 'throttled').length;
    t.diagnostic(`2,000 guesses at once: ${lookedUp} looked up`);
    assert.equal(lookedUp, PER_MINUTE);
    assert.deepEqual(counts(), { unknown: PER_MINUTE, throttled: 2000 - PER_MINUTE });
    // Refused, valid or not.
    assert.equal(present(FRESH, given(FRESH)), 'throttled');
    assert.equal(present(USED, given(USED), '203.0.113.250'), 'known');
    assert.equal(present(FRESH, given(FRESH), '198.51.100.1'), 'known');
    wait(60_001);
    assert.equal(present(FRESH, given(FRESH)), 'known');
  });

test('the same wrong id again and again costs its network one', () => {
  const { present } = throttled(new Set([FRESH]));
  for (let i = 0; i < 1000; i++) assert.equal(present(wrong(1), ways['path over HTTPS']!(wrong(1))), 'unknown');
  assert.equal(present(FRESH, ways['path over HTTPS']!(FRESH)), 'known');
});

test('forged sources of UDP do not throttle a network on other transports', () => {
  const { present } = throttled(new Set([FRESH]));
  for (let i = 0; i < 100; i++) present(wrong(i), ways['EDNS option over UDP']!(wrong(i)));
  assert.equal(present(FRESH, ways['EDNS option over UDP']!(FRESH)), 'throttled');
  assert.equal(present(FRESH, ways['EDNS option over TCP']!(FRESH)), 'known');
});

test('an id that is no longer valid is not taken for one that was right before', () => {
  const valid = new Set([USED]);
  const { present } = throttled(valid);
  const given = ways['path over HTTPS']!(USED);
  assert.equal(present(USED, given), 'known');
  valid.delete(USED);
  for (let i = 0; i < PER_MINUTE; i++) present(wrong(i), ways['path over HTTPS']!(wrong(i)));
  assert.equal(present(USED, given), 'unknown');
  assert.equal(present(USED, given), 'throttled');
});

test('queries without an id and those of this machine are not throttled', () => {
  const throttle = createIdentityThrottle({ settings, perMinute: 1, secret: new Uint8Array(8), nowMs: () => START });
  const none = { deviceAt: 0, deviceLength: 0 };
  const bytes = new Uint8Array(0);
  const about = { bytes, client: ip('203.0.113.5'), local: ip('203.0.113.53') };
  for (const request of [
    { ...about, transport: 'udp' },
    { ...about, transport: 'dot' },
    { ...about, transport: 'dot', serverName: 'd.example.org' },
    { ...about, transport: 'doh', serverName: 'dns.example.org' },
  ] as const)
    assert.equal(throttle.begin(request, none), NO_CLAIM);
  for (let nth = 0; nth < 9; nth++) {
    const request = { ...about, transport: 'doh', client: ip('127.0.0.1'), path: wrong(nth) } as const;
    const claim = throttle.begin(request, none);
    assert.notEqual(claim, THROTTLED);
    throttle.end(claim, request, false);
  }
});
