import { complexRule } from '../build/complex-rules.ts';
import type { ListTable } from '../list-table.ts';
import type { NameLookup } from '../name-keys.ts';
import { ALWAYS, addShortcut, createShortcutFilter, mayBeInAddress, type ShortcutFilter } from '../shortcut-index.ts';
import { type Source, type SourceName, sources } from '../sources.ts';
import { filterShift, SHORTCUT_LENGTH } from '../table-layout.ts';

/** The tables of one profile: references to shared memory plus at most a few kilobytes. */
export type EngineProfile = {
  /** In evaluation order; tables that filter answers come first. */
  readonly tables: readonly ProfileTable[];
  readonly stages: readonly Stage[];
  /** Number of tables evaluated: all for a query, the first ones for an answer. */
  readonly forQuestions: Extent;
  readonly forAnswers: Extent;
  /** Addresses in an answer, as names: their own verdicts, because a part of an address is not a parent domain. */
  readonly forAddresses: Extent;
  /** Locations of an answer: a verdict depends on the location, so it is not cached by name. */
  readonly forLocations: Extent;
  /** Bit set of the label depths in the tables; see the table layout. */
  readonly labelDepths: number;
  /** Tables with rules that cannot be looked up by name, and the filter of their shortcuts. */
  readonly generic: readonly number[];
  readonly shortcuts: ShortcutFilter | undefined;
  /** Some of those rules have no shortcut. */
  readonly triesAlways: boolean;
  /** Some rule may match the text of an address. */
  readonly hasAddresses: boolean;
  /** Keys of the rules disabled by the user's `$badfilter` rules. */
  readonly switchedOff: ReadonlySet<string> | undefined;
  /** Check value of the secret of all tables; undefined without tables. */
  readonly secretCheck: number | undefined;
};

export type ProfileTable = {
  readonly table: ListTable;
  readonly source: Source;
  // Copies of fields of the source and the table: one indirection less in the inner loops.
  readonly stage: number;
  readonly filter: Int32Array;
  readonly filterShift: number;
};

export type Extent = NameLookup & {
  readonly tables: number;
  readonly stages: number;
  /** Only rules at the whole name match, not those at its parents. */
  readonly wholeNames: boolean;
};

export type Stage = { readonly from: number; readonly to: number; readonly allowEnds: Source['allowEnds'] };

export type SourceTables = { readonly source: SourceName; readonly tables: readonly ListTable[] };

const MAX_NUMBER = 2 ** 31 - 1;
let lastNumber = 0;

function nextNumber(): number {
  lastNumber = lastNumber === MAX_NUMBER ? 1 : lastNumber + 1;
  return lastNumber;
}

export function composeProfile(sourceTables: readonly SourceTables[]): EngineProfile {
  const tables = sources.flatMap((source) =>
    sourceTables
      .filter((entry) => entry.source === source.name)
      .flatMap((entry) => entry.tables)
      .map((table) => ({
        table,
        source,
        stage: source.stage,
        filter: table.filter,
        filterShift: filterShift(table.filter.length),
      })),
  );
  const generic = tables.flatMap(({ table }, index) => (table.generic > 0 ? [index] : []));
  const shortcuts = generic.length === 0 ? undefined : shortcutsIn(generic.map((index) => tables[index]!.table));
  const stages = stagesOf(tables);
  const answerTables = tables.filter(({ source }) => source.filtersAnswers).length;
  const switchedOff = badfilterKeys(tables);
  const extentOf = (count: number): Extent => ({
    tables: count,
    stages: stages.filter(({ to }) => to <= count).length,
    wholeNames: false,
    shortcuts,
    number: switchedOff.size === 0 ? nextNumber() : 0,
  });
  const forQuestions = extentOf(tables.length);
  const forAnswers = answerTables === tables.length ? forQuestions : extentOf(answerTables);
  return {
    tables,
    stages,
    forQuestions,
    forAnswers,
    forAddresses: { ...extentOf(answerTables), wholeNames: true },
    forLocations: { ...forAnswers, number: 0 },
    labelDepths: tables.reduce((all, { table }) => all | table.labelDepths, 0),
    generic,
    shortcuts,
    triesAlways: generic.some((index) => tables[index]!.table.shortcuts[0] === ALWAYS),
    hasAddresses: tables.some(({ table }) => mayHaveAddressRules(table)),
    switchedOff: switchedOff.size === 0 ? undefined : switchedOff,
    secretCheck: secretCheckOf(tables),
  };
}

/** Tables built with another secret would never match, and filtering would silently fail. */
function secretCheckOf(tables: readonly ProfileTable[]): number | undefined {
  const [first, ...others] = new Set(tables.map(({ table }) => table.secretCheck));
  if (others.length > 0) throw new Error('the tables of a profile are made with different secrets');
  return first;
}

function stagesOf(tables: readonly ProfileTable[]): readonly Stage[] {
  const numbers = [...new Set(tables.map(({ source }) => source.stage))];
  return numbers.map((stage) => {
    const from = tables.findIndex(({ source }) => source.stage === stage);
    const to = tables.findLastIndex(({ source }) => source.stage === stage) + 1;
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

/** A rule of the table may match the text of an address. */
export const mayHaveAddressRules = (table: ListTable): boolean => table.hasAddresses || hasAddressShortcut(table);

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
