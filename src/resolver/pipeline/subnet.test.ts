import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientSubnetOption } from '../../dns/client-subnet.ts';
import { newQuestion } from '../../dns/question.ts';
import { addressBytes } from '../identity/address-key.ts';
import type { DnsRequest } from '../transport/listener.ts';
import { clientSubnetOf } from './subnet.ts';

const client = Uint8Array.of(127, 0, 0, 1);

/** The subnet sent upstream for a query that has this one, as hexadecimal option data. */
function sentFor(address: string, prefixLength: number, isForwarded = true): string | undefined {
  const { data } = clientSubnetOption({ address: addressBytes(address)!, prefixLength, scope: 0 });
  const request: DnsRequest = { bytes: data, at: 0, length: 0, transport: 'udp', client, clientPort: 1, local: client };
  const question = Object.assign(newQuestion(), { subnetAt: 0, subnetLength: data.length });
  const sent = clientSubnetOf(isForwarded)(request, question);
  return sent && Buffer.from(sent).toString('hex');
}

test('a public subnet is shortened to /24 or /56', () => {
  assert.equal(sentFor('198.51.100.7', 32), '00011800c63364');
  assert.equal(sentFor('2001:db8:1:2ff::', 64), '0002380020010db8000102');
});

test('a private subnet is not sent, nor any if the operator does not forward them', () => {
  for (const address of ['192.168.1.0', '10.1.2.0', 'fd00::', '127.0.0.0'])
    assert.equal(sentFor(address, 24), undefined);
  assert.equal(sentFor('198.51.100.7', 24, false), undefined);
});
