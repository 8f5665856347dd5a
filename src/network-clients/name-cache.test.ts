import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { nameCache } from './name-cache.ts';

function cacheWith(names: Readonly<Record<string, { ptr?: string; mdns?: string }>>) {
  const asked: string[] = [];
  let time = 1000;
  const look = (source: 'ptr' | 'mdns') => async (address: string) => {
    asked.push(`${source} ${address}`);
    const name = names[address]?.[source];
    return name === undefined ? [] : [name];
  };
  const cache = nameCache({ lookUpPtr: look('ptr'), lookUpMdns: look('mdns'), now: () => time });
  return {
    cache,
    wait: (ms: number): void => {
      time += ms;
    },
    asked: () => asked.splice(0),
  };
}
const unnamed = (): boolean => false;

test('the host is queried by multicast only if no other source has its name', async () => {
  const { cache, asked } = cacheWith({ a: { ptr: 'a.lan' }, b: { mdns: 'b.local' } });
  await cache.refresh(['a', 'b', 'c'], (address) => address === 'c');
  assert.deepEqual(asked().sort(), ['mdns b', 'ptr a', 'ptr b', 'ptr c']);
  assert.deepEqual(cache.names('ptr'), [{ address: 'a', names: ['a.lan'] }]);
  assert.deepEqual(cache.names('mdns'), [{ address: 'b', names: ['b.local'] }]);
});

test('a name is looked up again after an hour, a missing one after ten minutes', async () => {
  const { cache, asked, wait } = cacheWith({ a: { ptr: 'a.lan' } });
  assert.deepEqual([...(await cache.refresh(['a', 'b'], unnamed))], ['a', 'b']);
  asked();
  assert.deepEqual([...(await cache.refresh(['a', 'b'], unnamed))], []);
  assert.deepEqual(asked(), []);
  wait(10 * MINUTE_MS);
  await cache.refresh(['a', 'b'], unnamed);
  assert.deepEqual(asked(), ['ptr b', 'mdns b']);
  wait(HOUR_MS);
  await cache.refresh(['a'], unnamed);
  assert.deepEqual(asked(), ['ptr a']);
});

test('a round has at most 50 lookups, new addresses first', async () => {
  const many = Array.from({ length: 60 }, (_, nth) => `h${nth}`);
  const { cache, asked, wait } = cacheWith(Object.fromEntries(many.map((name) => [name, { ptr: `${name}.lan` }])));
  await cache.refresh(many, unnamed);
  assert.equal(asked().length, 50);
  wait(HOUR_MS);
  await cache.refresh([...many, 'new'], unnamed);
  const second = asked();
  assert.equal(second.filter((each) => each.startsWith('ptr')).length, 50);
  for (const address of ['h59', 'new']) assert.ok(second.includes(`ptr ${address}`), address);
});
