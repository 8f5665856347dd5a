import assert from 'node:assert/strict';
import { test } from 'node:test';
import { err, ok } from '../kit/result.ts';
import { invalid } from './domain-error.ts';
import { checkForwardRule, type ForwardRule } from './forward-rules.ts';
import type { AccountId, ProfileId } from './ids.ts';

const home = 'aaaaaaaa' as ProfileId;

const domainOf = (domain: string, others: readonly ForwardRule[] = []): string => {
  const rule = checkForwardRule(
    others,
    { domain, upstreams: ['192.168.1.1'], strategy: undefined, profile: undefined },
    [home],
    ok,
  );
  if (rule.ok) return rule.value.domain;
  return rule.error.kind === 'invalid' ? rule.error.errors.map(({ field }) => field).join() : rule.error.kind;
};

test('a rule is for a domain or for the reverse zone of a network', () => {
  assert.equal(domainOf('Home.ARPA.'), 'home.arpa');
  assert.equal(domainOf('*.lan'), 'lan');
  assert.equal(domainOf('192.168.1.0/24'), '1.168.192.in-addr.arpa');
  assert.equal(domainOf('10.0.0.0/8'), '10.in-addr.arpa');
  assert.equal(domainOf('fd00::/8'), 'd.f.ip6.arpa');
  assert.equal(domainOf('192.168.1.7'), '7.1.168.192.in-addr.arpa');
});

for (const domain of ['172.16.0.0/12', 'fd00::/7', '0.0.0.0/0', '', 'a b', 'https://router', '192.168.1'])
  test(`refused: a rule for "${domain}"`, () => assert.equal(domainOf(domain), 'domain'));

test('errors have paths; a domain has one rule per DNS server', () => {
  const stored = {
    id: '1',
    account: 'a' as AccountId,
    profile: undefined,
    domain: 'lan',
    upstreams: ['1.1.1.1'],
    strategy: undefined,
  };
  assert.equal(domainOf('lan', [stored]), 'domain');
  assert.equal(domainOf('lan', [{ ...stored, profile: home }]), 'lan');
  const bad = checkForwardRule([], { domain: '', upstreams: ['x'], strategy: undefined, profile: 'b' }, [home], () =>
    err(invalid('upstreams[0]', 'is wrong')),
  );
  assert.ok(!bad.ok && bad.error.kind === 'invalid');
  assert.deepEqual(
    bad.error.errors.map(({ field }) => field),
    ['dns_server_id', 'domain', 'upstreams[0]'],
  );
  const empty = checkForwardRule(
    [],
    { domain: 'lan', upstreams: [], strategy: undefined, profile: undefined },
    [home],
    ok,
  );
  assert.ok(!empty.ok && empty.error.kind === 'invalid');
  assert.equal(empty.error.errors[0]!.field, 'upstreams');
});
