import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newQuestion } from '../../dns/question.ts';
import type { DnsRequest } from '../transport/listener.ts';
import { addressBytes } from './address-key.ts';
import type { Client } from './client.ts';
import { createActivityCounter } from './client-activity.ts';

const clientOf = (clientId: number, device?: string): Client =>
  ({
    clientId,
    identity: {
      kind: device === undefined ? 'guest' : 'device',
      account: { id: 'anna' },
      profile: { id: 'home' },
      ...(device !== undefined && { device: { id: device } }),
    },
  }) as unknown as Client;

const from = (address: string, mac = ''): [DnsRequest, ReturnType<typeof newQuestion>] => {
  const data = Buffer.from(mac.replaceAll(':', ''), 'hex');
  const client = addressBytes(address)!;
  const bytes = Uint8Array.of(0, 0, 0, ...data);
  const request: DnsRequest = { bytes, at: 0, length: 0, transport: 'udp', client, clientPort: 1, local: client };
  return [request, { ...newQuestion(), macAt: 3, macLength: data.length }];
};

test('queries and the time of the last one are counted by client, address and MAC option', () => {
  const activity = createActivityCounter();
  const [guest, phone] = [clientOf(1), clientOf(2, '00000001')];
  activity.count(guest, ...from('192.168.1.1'), 1000);
  activity.count(guest, ...from('192.168.1.1'), 2000);
  activity.count(guest, ...from('192.168.1.1', '02:00:00:00:00:01'), 3000);
  activity.count(phone, ...from('192.168.1.1', '02:00:00:00:00:02'), 4000);
  activity.count(phone, ...from('fd00::1'), 5000);
  const common = { account: 'anna', dnsServer: 'home', device: undefined, mac: undefined, queries: 1 };
  assert.deepEqual(activity.take(), [
    { ...common, address: '192.168.1.1', queries: 2, lastSeen: 2000 },
    { ...common, address: '192.168.1.1', mac: '02:00:00:00:00:01', lastSeen: 3000 },
    { ...common, device: '00000001', address: '192.168.1.1', mac: '02:00:00:00:00:02', lastSeen: 4000 },
    { ...common, device: '00000001', address: 'fd00::1', lastSeen: 5000 },
  ]);
  assert.deepEqual(activity.take(), [], 'counts are reset');
});

test('clients with public addresses are not counted', () => {
  const activity = createActivityCounter();
  activity.count(clientOf(1), ...from('203.0.113.1', '02:00:00:00:00:01'), 1000);
  assert.deepEqual(activity.take(), []);
});

test('a client is counted again after a report, and after it was dropped', () => {
  const activity = createActivityCounter(1);
  const [one, other] = [clientOf(1), clientOf(2)];
  const addresses = () => activity.take().map(({ address, queries }) => [address, queries]);
  activity.count(one, ...from('10.0.0.1'), 1);
  assert.deepEqual(addresses(), [['10.0.0.1', 1]]);
  activity.count(one, ...from('10.0.0.1'), 2);
  activity.count(other, ...from('10.0.0.2'), 3);
  activity.count(one, ...from('10.0.0.1'), 4);
  assert.deepEqual(addresses(), [['10.0.0.1', 1]]);
});

test('above the limit the oldest client is dropped', () => {
  const activity = createActivityCounter(3);
  for (const last of [1, 2, 3, 4]) activity.count(clientOf(1), ...from(`10.0.0.${last}`), last);
  assert.deepEqual(
    activity.take().map(({ address }) => address),
    ['10.0.0.2', '10.0.0.3', '10.0.0.4'],
  );
});
