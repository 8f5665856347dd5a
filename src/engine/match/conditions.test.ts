import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRule } from '../../rules/parse-rule.ts';
import { type Conditions, whyNotApplied } from './conditions.ts';

function why(modifiers: string, given: Partial<Conditions>, name = 'x.a.com'): string | undefined {
  const line = parseRule(`||a.com^$${modifiers}`);
  if (line.kind !== 'rule') assert.fail(modifiers);
  return whyNotApplied(
    line.rule,
    { subject: 'query', type: 1, client: undefined, location: undefined, ...given },
    () => name,
  );
}
const v4 = (...bytes: number[]) => ({ client: { address: Uint8Array.from(bytes) } });
const v6 = (...bytes: number[]) => ({
  client: { address: Uint8Array.from([...bytes, ...Array(16 - bytes.length).fill(0)]) },
});

test('a rule without conditions applies to all queries', () => {
  assert.equal(why('important', {}), undefined);
  assert.equal(why('important', { client: { name: 'phone' }, type: 65 }), undefined);
});

test('$dnstype includes or excludes record types', () => {
  assert.equal(why('dnstype=A|AAAA', { type: 28 }), undefined);
  assert.equal(why('dnstype=A|AAAA', { type: 65 }), '$dnstype');
  assert.equal(why('dnstype=~A|~AAAA', { type: 28 }), '$dnstype');
  assert.equal(why('dnstype=~A|~AAAA', { type: 65 }), undefined);
});

test('$client matches device names, case-insensitively, and networks', () => {
  assert.equal(why('client=My-Phone', { client: { name: 'my-pHONE' } }), undefined);
  assert.equal(why('client=ÄTV', { client: { name: 'äTV' } }), '$client', 'other letters are as they are');
  assert.equal(why('client=phone', { client: { name: 'tv' } }), '$client');
  assert.equal(why('client=phone', {}), '$client', 'nobody is nobody in particular');
  assert.equal(why('client=~phone', {}), undefined);
  assert.equal(why('client=~phone', { client: { name: 'phone' } }), '$client');
  assert.equal(why('client=phone|tv', { client: { name: 'tv' } }), undefined);
  assert.equal(why('client=192.0.2.0/23', v4(192, 0, 3, 255)), undefined);
  assert.equal(why('client=192.0.2.0/23', v4(192, 0, 4, 0)), '$client');
  assert.equal(why('client=0.0.0.0/0', v4(8, 8, 8, 8)), undefined);
  assert.equal(why('client=0.0.0.0/0', v6(0)), '$client', 'the families are apart');
  assert.equal(why('client=2001:db8::/33', v6(0x20, 1, 0x0d, 0xb8, 0x7f)), undefined);
  assert.equal(why('client=2001:db8::/33', v6(0x20, 1, 0x0d, 0xb8, 0x80)), '$client');
  assert.equal(why('client=10.0.0.0/8|~10.1.2.3', v4(10, 1, 2, 3)), '$client', 'what is left out is left out');
});

test('$ctag matches tags of the device', () => {
  assert.equal(why('ctag=kid|guest', { client: { tags: ['phone', 'guest'] } }), undefined);
  assert.equal(why('ctag=kid', { client: { tags: ['phone'] } }), '$ctag');
  assert.equal(why('ctag=~kid', { client: { tags: ['phone'] } }), undefined);
  assert.equal(why('ctag=~kid', {}), undefined);
  assert.equal(why('ctag=phone|~kid', { client: { tags: ['phone', 'kid'] } }), '$ctag');
});

test('$denyallow exempts names and their subdomains', () => {
  assert.equal(why('denyallow=x.a.com', {}), '$denyallow');
  assert.equal(why('denyallow=x.a.com', {}, 'y.x.a.com'), '$denyallow');
  assert.equal(why('denyallow=x.a.com', {}, 'yx.a.com'), undefined);
  assert.equal(why('denyallow=x.a.com', {}, 'y\\.x.a.com'), undefined, 'a dot in a label is no end of it');
});

test('only $respgeo rules apply to the location of an answer', () => {
  assert.equal(why('respgeo=DE', {}), '$respgeo');
  assert.equal(why('important', { location: { country: 'DE' } }), '$respgeo');
  assert.equal(why('respgeo=DE|AS1', { location: { country: 'de', network: 2 } }), undefined);
  assert.equal(why('respgeo=DE|AS1', { location: { network: 1 } }), undefined);
  assert.equal(why('respgeo=~DE', { location: { country: 'DE' } }), '$respgeo');
  assert.equal(why('respgeo=~DE', { location: {} }), undefined);
});
