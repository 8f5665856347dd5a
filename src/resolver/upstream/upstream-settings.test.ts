import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameText } from '../../kit/wire-name.ts';
import { readUpstreamSettings, type Surroundings, type UpstreamTexts } from './upstream-settings.ts';

const surroundings: Surroundings = { listening: [{ address: '127.0.0.1', port: 53 }], systemServers: ['192.0.2.53'] };
const read = (texts: Partial<UpstreamTexts>, more: Partial<Surroundings> = {}) =>
  readUpstreamSettings({ upstreams: ['192.0.2.1'], ...texts }, { ...surroundings, ...more });
const problems = (...args: Parameters<typeof read>): readonly string[] => {
  const result = read(...args);
  assert.ok(!result.ok, 'nothing was wrong');
  return result.error;
};

test('absent settings have their defaults', () => {
  const result = read({});
  assert.ok(result.ok);
  const { upstreams, ...rest } = result.value;
  assert.deepEqual(
    upstreams.map(({ text }) => text),
    ['192.0.2.1'],
  );
  assert.deepEqual(rest, {
    fallback: [],
    bootstrap: [],
    strategy: 'fastest',
    forward: [],
    timeoutMs: 5000,
    trustDnssec: false,
    mixCase: true,
    listening: surroundings.listening,
  });
});

test('an upstream at which this program itself answers is refused', () => {
  const own = [
    '127.0.0.1',
    'tcp://127.0.0.1:53',
    'localhost',
    '[::ffff:127.0.0.1]:53',
    'tls://dns.example:53#127.0.0.1',
  ];
  for (const upstream of own) assert.match(problems({ upstreams: [upstream] })[0]!, /queries would loop/);
  for (const place of ['fallback', 'bootstrap'] as const)
    assert.match(problems({ [place]: ['127.0.0.1'] })[0]!, /would loop/);
  assert.match(problems({ forward: [{ domains: ['a.example'], upstreams: ['127.0.0.1'] }] })[0]!, /would loop/);
  assert.match(
    problems({ upstreams: ['127.0.0.53'] }, { listening: [{ address: '0.0.0.0', port: 53 }] })[0]!,
    /would loop/,
  );
  assert.ok(read({ upstreams: ['127.0.0.1:5300', '127.0.0.53'] }).ok);
});

test('an upstream given by name needs a bootstrap server other than this program', () => {
  const named = { upstreams: ['tls://dns.example'] };
  const asksUs = { systemServers: ['127.0.0.1'] };
  assert.ok(read(named).ok);
  assert.match(problems(named, asksUs)[0]!, /set a bootstrap server, or write tls:\/\/dns.example#ADDRESS/);
  assert.ok(read({ ...named, bootstrap: ['192.0.2.9'] }, asksUs).ok);
  assert.ok(read({ upstreams: ['tls://dns.example#192.0.2.4', 'tls://192.0.2.4'] }, asksUs).ok);
  assert.ok(read(named, { systemServers: ['127.0.0.1:5353', '[::1]:53'] }).ok);
});

test('a bootstrap server must have an address', () => {
  assert.match(problems({ bootstrap: ['tls://dns.example'] })[0]!, /write an IP address/);
  assert.ok(read({ bootstrap: ['192.0.2.9', 'tls://192.0.2.9', 'tls://dns.example#192.0.2.9'] }).ok);
});

test('domains are read in every spelling that people use', () => {
  const result = read({
    forward: [{ domains: ['Corp.Example', '.a.example.', '*.b.example', 'local'], upstreams: ['192.0.2.2'] }],
  });
  assert.ok(result.ok);
  assert.deepEqual(
    result.value.forward[0]!.domains.map((domain) => nameText(domain, 0)),
    ['corp.example', 'a.example', 'b.example', 'local'],
  );
});

test('all errors are reported at once', () => {
  const wrong = problems({
    upstreams: ['1.2.3', 'h3://dns.example'],
    fallback: ['ftp://x'],
    strategy: 'best',
    forward: [{ domains: ['a..b', '.'], upstreams: [] }],
    timeoutMs: 10,
  });
  assert.equal(wrong.length, 7);
  assert.match(wrong.at(-2)!, /one of fastest, parallel, ordered/);
  assert.match(wrong.at(-1)!, /from 100 to 30000 ms/);
});

test('there must be an upstream', () => {
  assert.deepEqual(problems({ upstreams: [] }), ['no upstream is configured']);
  assert.ok(!read({ timeoutMs: Number.NaN }).ok);
});
