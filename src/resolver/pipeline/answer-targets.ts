import type { Message } from '../../dns/message.ts';
import { types } from '../../dns/numbers.ts';
import { addressHints } from '../../dns/service-binding.ts';

/*
 * What filters look at in an answer, one after the other: where its names lead, and its addresses, those inside of HTTPS and
 * SVCB records too. A byte of length goes before each; the top bit marks an address.
 */
const ADDRESS = 0x80;

export function answerTargets(message: Pick<Message, 'answer'>): Uint8Array {
  const items: Uint8Array[] = [];
  for (const { type, data } of message.answer) {
    if (type === types.CNAME) items.push(Uint8Array.of(data.length), data);
    if (isAddress(type, data)) items.push(addressHead(data), data);
    if (type === types.HTTPS || type === types.SVCB)
      for (const hint of addressHints(data) ?? []) items.push(addressHead(hint), hint);
  }
  const bytes = new Uint8Array(items.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const item of items) {
    bytes.set(item, at);
    at += item.length;
  }
  return bytes;
}

/** Where the first address is; undefined without one. */
export function firstAddress({ targets, targetsAt, targetsLength }: Targets): number | undefined {
  const end = targetsAt + targetsLength;
  for (let target = targetsAt; target < end; target += 1 + targetLength(targets[target]!))
    if (isAddressTarget(targets[target]!)) return target;
  return undefined;
}

type Targets = { readonly targets: Uint8Array; readonly targetsAt: number; readonly targetsLength: number };

const isAddress = (type: number, data: Uint8Array): boolean =>
  (type === types.A && data.length === 4) || (type === types.AAAA && data.length === 16);

const addressHead = (address: Uint8Array): Uint8Array => Uint8Array.of(ADDRESS | address.length);

export const isAddressTarget = (head: number): boolean => (head & ADDRESS) !== 0;
export const targetLength = (head: number): number => ((head & ADDRESS) === 0 ? head : head & ~ADDRESS);
