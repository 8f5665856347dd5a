import type { Message } from '../../dns/message.ts';
import { types } from '../../dns/numbers.ts';
import { addressHints } from '../../dns/service-binding.ts';

/*
 * The parts of an answer that filters read: targets of aliases, and addresses, including those in HTTPS and SVCB records. A length byte
 * precedes each; its top bit marks an address.
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

/** Offset of the first address; undefined without an address. */
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
