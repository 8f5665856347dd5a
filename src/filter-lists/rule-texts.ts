import { type ListTable, openTable } from '../engine/list-table.ts';
import { createNameKeys, type HashKey, hashKey, readNameKeys } from '../engine/name-keys.ts';
import { slotText } from '../engine/rule-text.ts';
import { SLOT, TAG } from '../engine/table-layout.ts';
import { noteReleased } from '../platform/idle-gc.ts';
import { type LineReader, openLineReader } from './line-reader.ts';
import type { LiveTable } from './managed-list.ts';

type KnownList = { readonly id: string; readonly table: ListTable; readonly key: HashKey; readonly lines: LineReader };

/** A list with the number that query records use for it, and the data needed to read the rule of a slot. */
export type NamedList = Pick<LiveTable, 'id' | 'buffer' | 'lines'> & {
  readonly number: number;
  readonly secret: Uint8Array;
};

/** The lists by the numbers used in query records, and the texts of their rules. */
export type RuleTexts = {
  readonly use: (lists: readonly NamedList[]) => void;
  /** Call when no record can refer to replaced lists any more. */
  readonly forgetReplaced: () => void;
  readonly listId: (number: number) => string | undefined;
  /** Undefined for an unknown rule. If the rule consists of the name or a parent, only its form is returned. */
  readonly rule: (list: number, slot: number, name: Uint8Array) => string | undefined;
  readonly close: () => void;
};

/** `nameMarker` replaces the last `labels` labels of the query name in the text of a rule. */
export function createRuleTexts(nameMarker: (labels: number) => string): RuleTexts {
  const listsByNumber = new Map<number, KnownList>();
  let replaced: number[] = [];
  const keys = createNameKeys();

  /** Number of labels of the name in the slot; 0 if the slot has another name. */
  const labelsAt = ({ table: { slots }, key }: KnownList, slot: number, name: Uint8Array): number => {
    readNameKeys(key, name, 0, keys);
    const [high, low] = [slots[slot * SLOT], slots[slot * SLOT + 1]!];
    for (let labels = keys.count; labels > 0; labels--)
      if (keys.high[labels] === high && ((keys.low[labels]! ^ low) & ~TAG) === 0) return labels;
    return 0;
  };

  return {
    use(lists) {
      const still = new Set(lists.map(({ number }) => number));
      replaced = [...listsByNumber.keys()].filter((number) => !still.has(number));
      for (const { number, id, buffer, secret, lines } of lists)
        if (!listsByNumber.has(number))
          listsByNumber.set(number, {
            id,
            table: openTable(id, buffer),
            key: hashKey(secret),
            lines: openLineReader(lines),
          });
    },
    forgetReplaced() {
      for (const number of replaced) {
        const list = listsByNumber.get(number);
        if (!list) continue;
        list.lines.close();
        noteReleased(list.table.buffer.byteLength);
        listsByNumber.delete(number);
      }
      replaced = [];
    },
    listId: (number) => listsByNumber.get(number)?.id,
    rule(number, slot, name) {
      const list = listsByNumber.get(number);
      if (!list || slot * SLOT >= list.table.slots.length) return undefined;
      const labels = labelsAt(list, slot, name);
      if (labels === 0) return list.lines.line(slot);
      return slotText(list.table, slot, nameMarker(labels), () => list.lines.line(slot) ?? '') || undefined;
    },
    close() {
      for (const { lines } of listsByNumber.values()) lines.close();
      listsByNumber.clear();
    },
  };
}
