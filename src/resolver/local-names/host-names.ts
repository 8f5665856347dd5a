import { isPrivateAddress } from '../../kit/private-address.ts';
import type { KnownDevice, KnownProfile } from '../identity/directory.ts';
import { forwardTable } from '../upstream/forward-table.ts';
import { filteredRecords, type LocalNames } from './local-names.ts';
import { createNameFilter } from './name-filter.ts';
import { compileRecords, type RecordSource, type RecordTable } from './record-table.ts';

type NamesOf = (identity: KnownDevice | KnownProfile) => LocalNames | undefined;

const nothing: LocalNames = { tables: [], forwards: forwardTable([]), searchDomains: [], dns64: undefined };

/** Records of the operator's hosts file, for clients in private networks. Records of accounts precede them. */
export function createHostNames() {
  let table: RecordTable | undefined;
  return {
    /** Memory of the filter for all threads; undefined without records. */
    use(records: readonly RecordSource[]): SharedArrayBuffer | undefined {
      table = records.length === 0 ? undefined : compileRecords(records);
      return table && createNameFilter(filteredRecords([table])).memory;
    },
    addTo:
      (namesOf: NamesOf) =>
      (identity: KnownDevice | KnownProfile, client: Uint8Array): LocalNames | undefined => {
        const names = namesOf(identity);
        if (!table || !isPrivateAddress(client, 0, client.length)) return names;
        const base = names ?? nothing;
        return { ...base, tables: [...base.tables, table] };
      },
  };
}
