import { type SafetySources, safetyKinds, safetyListId } from '../filter-lists/list-request.ts';
import type { LiveTable } from '../filter-lists/managed-list.ts';
import type { NumberedTable } from './thread-messages.ts';

/** List tables by the numbers that query records use. A new version gets a new number, because its slots differ. */
export function numberTables(sources: SafetySources) {
  const kinds = new Map(
    safetyKinds.flatMap((kind) => sources[kind].map((source) => [safetyListId(kind, source), kind] as const)),
  );
  const tables = new Map<string, NumberedTable>();
  let last = 0;
  return {
    set(id: string, table: LiveTable | undefined): void {
      if (!table) {
        tables.delete(id);
        return;
      }
      if (tables.get(id)?.version === table.version) return;
      last += 1;
      tables.set(id, { ...table, number: last, safety: kinds.get(id) });
    },
    all: (): readonly NumberedTable[] => [...tables.values()],
  };
}
