import { complexRule } from '../build/complex-rules.ts';
import type { ListTable } from '../list-table.ts';
import type { NameLookup } from '../name-keys.ts';
import { ALWAYS, addShortcut, createShortcutFilter, mayBeInAddress, type ShortcutFilter } from '../shortcut-index.ts';
import { type Source, type SourceName, sources } from '../sources.ts';
import { filterShift, SHORTCUT_LENGTH } from '../table-layout.ts';

/** What one profile filters with: references to shared tables, and kilobytes of its own at most. */
export type EngineProfile = {
  /** In the order in which they are asked; those that filter answers come first. */
  readonly tables: readonly ProfileTable[];
  readonly pools: readonly Pool[];
  /** How many of these are asked: all for a question, for an answer the first. */
  readonly forQuestions: Extent;
  readonly forAnswers: Extent;
  /** Locations of an answer: a verdict depends on the location, so it is not cached by name. */
  readonly forPlaces: Extent;
  /** Numbers of labels that names in the tables have; see the layout of tables. */
  readonly levels: number;
  /** Tables with rules that cannot be looked up by a name, and the letters those rules are found by. */
  readonly generic: readonly number[];
  readonly shortcuts: ShortcutFilter | undefined;
  /** Some of those rules are known by no letters. */
  readonly triesAlways: boolean;
  /** Some rule may match the text of an address. */
  readonly hasAddresses: boolean;
  /** Keys of the rules that the user switches off. */
  readonly switchedOff: ReadonlySet<string> | undefined;
  /** Of the secret that all tables were made with; absent when there are none. */
  readonly secretCheck: number | undefined;
};

export type ProfileTable = {
  readonly table: ListTable;
  readonly source: Source;
  // The same as in the source and in the table, one step nearer for the loops that read nothing else of them.
  readonly pool: number;
  readonly filter: Int32Array;
  readonly filterShift: number;
};

export type Extent = NameLookup & {
  readonly tables: number;
  readonly pools: number;
};

export type Pool = { readonly from: number; readonly to: number; readonly allowEnds: Source['allowEnds'] };

export type SourceTables = { readonly source: SourceName; readonly tables: readonly ListTable[] };

const MAX_NUMBER = 2 ** 31 - 1;
let lastNumber = 0;

function nextNumber(): number {
  lastNumber = lastNumber === MAX_NUMBER ? 1 : lastNumber + 1;
  return lastNumber;
}

export function composeProfile(given: readonly SourceTables[]): EngineProfile {
  const tables = sources.flatMap((source) =>
    given
      .filter((each) => each.source === source.name)
      .flatMap((each) => each.tables)
      .map((table) => ({
        table,
        source,
        pool: source.pool,
        filter: table.filter,
        filterShift: filterShift(table.filter.length),
      })),
  );
  const generic = tables.flatMap(({ table }, index) => (table.generic > 0 ? [index] : []));
  const shortcuts = generic.length === 0 ? undefined : shortcutsIn(generic.map((index) => tables[index]!.table));
  const pools = stagesOf(tables);
  const answerTables = tables.filter(({ source }) => source.filtersAnswers).length;
  const switchedOff = badfilterKeys(tables);
  const extentOf = (count: number): Extent => ({
    tables: count,
    pools: pools.filter(({ to }) => to <= count).length,
    shortcuts,
    number: switchedOff.size === 0 ? nextNumber() : 0,
  });
  const forQuestions = extentOf(tables.length);
  const forAnswers = answerTables === tables.length ? forQuestions : extentOf(answerTables);
  return {
    tables,
    pools,
    forQuestions,
    forAnswers,
    forPlaces: { ...forAnswers, number: 0 },
    levels: tables.reduce((all, { table }) => all | table.levels, 0),
    generic,
    shortcuts,
    triesAlways: generic.some((index) => tables[index]!.table.shortcuts[0] === ALWAYS),
    hasAddresses: tables.some(({ table }) => table.hasAddresses || hasAddressShortcut(table)),
    switchedOff: switchedOff.size === 0 ? undefined : switchedOff,
    secretCheck: secretCheckOf(tables),
  };
}

/** A table made with another secret would never match: that must not go unseen. */
function secretCheckOf(tables: readonly ProfileTable[]): number | undefined {
  const [first, ...others] = new Set(tables.map(({ table }) => table.secretCheck));
  if (others.length > 0) throw new Error('the tables of a profile are made with different secrets');
  return first;
}

function stagesOf(tables: readonly ProfileTable[]): readonly Pool[] {
  const numbers = [...new Set(tables.map(({ source }) => source.pool))];
  return numbers.map((pool) => {
    const from = tables.findIndex(({ source }) => source.pool === pool);
    const to = tables.findLastIndex(({ source }) => source.pool === pool) + 1;
    return { from, to, allowEnds: tables[from]!.source.allowEnds };
  });
}

function shortcutsIn(tables: readonly ListTable[]): ShortcutFilter {
  const filter = createShortcutFilter();
  for (const { shortcuts } of tables)
    for (let at = 0; at < shortcuts.length; at += SHORTCUT_LENGTH)
      if (shortcuts[at] !== ALWAYS) addShortcut(filter, shortcuts[at]!);
  return filter;
}

function hasAddressShortcut({ shortcuts }: ListTable): boolean {
  for (let at = 0; at < shortcuts.length; at += SHORTCUT_LENGTH) if (mayBeInAddress(shortcuts[at]!)) return true;
  return false;
}

function badfilterKeys(tables: readonly ProfileTable[]): ReadonlySet<string> {
  const keys = tables
    .filter(({ source }) => source.name === 'user rules')
    .flatMap(({ table }) => {
      const first = table.named + table.generic;
      return Array.from({ length: table.badfilters }, (_, nth) => complexRule(table, first + nth).key());
    });
  return new Set(keys);
}
