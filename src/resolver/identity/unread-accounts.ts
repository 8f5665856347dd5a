import { type AccountBlock, type IndexedLine, keyOf, lineText } from './account-block.ts';

type Unread<Account> = {
  readonly block: AccountBlock;
  readonly account: IndexedLine;
  readonly parse: (line: string) => Account;
};

const FREE = 0;
const MIN_SLOTS = 1024;

/** Accounts that are not parsed because no client uses them yet; found by the keys of their ids. */
export function createUnreadAccounts<Account>() {
  const numbers = new Map<string, number>();
  /** By number; undefined once the account is read. */
  const unread: (Unread<Account> | undefined)[] = [];
  let devices = 0;
  // Open addressing: a key may have several numbers, and numbers of parsed accounts are only removed when the table grows.
  let keys = new Uint32Array(MIN_SLOTS);
  let values = new Uint32Array(MIN_SLOTS);
  let used = 0;

  const insert = (key: number, number: number): void => {
    let slot = slotOf(key, keys.length);
    while (values[slot] !== FREE) slot = (slot + 1) & (keys.length - 1);
    keys[slot] = key;
    values[slot] = number + 1;
    used += 1;
  };

  const makeRoom = (count: number): void => {
    if ((used + count) * 2 <= keys.length) return;
    const [oldKeys, oldValues] = [keys, values];
    let slots = keys.length;
    while ((used + count) * 2 > slots) slots *= 2;
    keys = new Uint32Array(slots);
    values = new Uint32Array(slots);
    used = 0;
    for (let slot = 0; slot < oldKeys.length; slot++) {
      const value = oldValues[slot]!;
      if (value !== FREE && unread[value - 1]) insert(oldKeys[slot]!, value - 1);
    }
  };

  const takeNumber = (number: number): Account => {
    const { block, account, parse } = unread[number]!;
    const taken = parse(lineText(block, account));
    unread[number] = undefined;
    numbers.delete(account.id);
    devices -= account.devices;
    return taken;
  };

  return {
    /** Adds an account that is not in the table; `parse` parses its line. */
    add(block: AccountBlock, account: IndexedLine, parse: (line: string) => Account): void {
      const number = unread.push({ block, account, parse }) - 1;
      numbers.set(account.id, number);
      devices += account.devices;
      makeRoom(account.keysEnd - account.keysAt);
      for (let at = account.keysAt; at < account.keysEnd; at++) insert(block.index[at]!, number);
    },
    has: (id: string): boolean => numbers.has(id),
    /** Removes the account of this id, and returns it. */
    take(id: string): Account | undefined {
      const number = numbers.get(id);
      return number === undefined ? undefined : takeNumber(number);
    },
    /** Removes the accounts that may have a profile or device with this id or suffix, and returns them. */
    takeWith(id: string): readonly Account[] {
      const taken: Account[] = [];
      const key = keyOf(id);
      for (let slot = slotOf(key, keys.length); values[slot] !== FREE; slot = (slot + 1) & (keys.length - 1)) {
        const number = values[slot]! - 1;
        if (keys[slot] === key && unread[number]) taken.push(takeNumber(number));
      }
      return taken;
    },
    size: () => ({ accounts: numbers.size, devices }),
  };
}

/** The high bits of a product depend on all bits of the key. */
const slotOf = (key: number, slots: number): number => Math.imul(key, 0x9e3779b1) >>> (Math.clz32(slots) + 1);
