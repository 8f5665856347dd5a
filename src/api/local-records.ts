import Type from 'typebox';
import { changed } from '../domain/audit.ts';
import { invalid } from '../domain/domain-error.ts';
import { importHosts } from '../domain/hosts-file.ts';
import type { AccountId, ProfileId } from '../domain/ids.ts';
import { checkLocalRecord, MAX_LOCAL_RECORDS } from '../domain/local-records.ts';
import type { StoreReader } from '../domain/repositories.ts';
import { err, ok } from '../kit/result.ts';
import { newId } from '../operations/new-secrets.ts';
import { listHeaders, listParameters, pageOfList } from './list-pages.ts';
import { mutation, type Operation, query } from './operation.ts';
import {
  HostsImport,
  HostsImportResult,
  LocalRecord,
  LocalRecordInput,
  localRecordFromWire,
  localRecordToWire,
} from './wire/local-names.ts';

const group = 'Local names';
const Params = Type.Object({ local_record_id: Type.String({ description: 'Local record id.' }) });
const notFound = { kind: 'not found', what: 'local record' } as const;

export const profileIds = async (
  store: Pick<StoreReader, 'profiles'>,
  account: AccountId,
): Promise<readonly ProfileId[]> => (await store.profiles.list(account)).map(({ id }) => id);

export const localRecordOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/local_records',
    operationId: 'listLocalRecords',
    group,
    summary: 'List local records',
    description: 'Local records answer queries before filtering and upstreams.',
    query: Type.Object(listParameters),
    reply: Type.Array(LocalRecord),
    replyHeaders: listHeaders,
    responseDescription: 'The records, sorted by name.',
    errors: [400],
    run: async (store, { caller, query }) =>
      pageOfList((await store.localRecords.list(caller.account)).map(localRecordToWire), query, ({ id }) => id),
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/local_records',
    operationId: 'createLocalRecord',
    group,
    summary: 'Create a local record',
    description:
      'Answered from the next query on, before rules and upstreams. Records of a DNS server replace those of all DNS servers for the same name; a name itself precedes wildcards. Types that a name does not have are answered without data. PTR records follow from A and AAAA records unless there are others.',
    body: LocalRecordInput,
    reply: LocalRecord,
    responseDescription: 'The record in canonical form.',
    errors: [400, 429],
    run: async (store, { caller: { account }, body }, deps) => {
      const existing = await store.localRecords.list(account);
      if (existing.length >= MAX_LOCAL_RECORDS)
        return err({ kind: 'limit reached', what: 'localRecords', limit: MAX_LOCAL_RECORDS });
      const content = checkLocalRecord(existing, localRecordFromWire(body), await profileIds(store, account));
      if (!content.ok) return content;
      const record = { id: newId(deps), account, ...content.value };
      await store.localRecords.add(account, [record]);
      const audit = { action: 'local_record.create', subject: record.id, ...changed(undefined, record) };
      return ok({ reply: localRecordToWire(record), audit });
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/local_records/:local_record_id',
    operationId: 'updateLocalRecord',
    group,
    summary: 'Replace a local record',
    description: 'All members are replaced. The change applies to the next query.',
    params: Params,
    body: LocalRecordInput,
    reply: LocalRecord,
    responseDescription: 'The record in canonical form.',
    errors: [400, 404],
    run: async (store, { caller: { account }, params, body }) => {
      const existing = await store.localRecords.list(account);
      const before = existing.find(({ id }) => id === params.local_record_id);
      if (!before) return err(notFound);
      const others = existing.filter((record) => record !== before);
      const content = checkLocalRecord(others, localRecordFromWire(body), await profileIds(store, account));
      if (!content.ok) return content;
      const after = { id: before.id, account, ...content.value };
      await store.localRecords.update(after);
      const audit = { action: 'local_record.update', subject: after.id, ...changed(before, after) };
      return ok({ reply: localRecordToWire(after), audit });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/local_records/:local_record_id',
    operationId: 'removeLocalRecord',
    group,
    summary: 'Delete a local record',
    description: 'Queries for the name are filtered and sent upstream again.',
    params: Params,
    responseDescription: 'Record deleted.',
    errors: [404],
    run: async (store, { caller: { account }, params }) => {
      const before = (await store.localRecords.list(account)).find(({ id }) => id === params.local_record_id);
      if (!before) return err(notFound);
      await store.localRecords.remove(account, before.id);
      const audit = { action: 'local_record.remove', subject: before.id, ...changed(before, undefined) };
      return ok({ reply: undefined, audit });
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/local_records/import',
    operationId: 'importLocalRecords',
    group,
    summary: 'Import a hosts file as local records',
    description:
      'Valid lines are imported even if others are not. Names of the machine itself, such as `localhost`, are left out. Existing records stay.',
    body: HostsImport,
    reply: HostsImportResult,
    responseDescription: 'The number of new and existing records, and the lines that were not imported.',
    errors: [400, 429],
    run: async (store, { caller: { account }, body }, deps) => {
      const profile = (await profileIds(store, account)).find((id) => id === body.dns_server_id);
      if (body.dns_server_id !== undefined && profile === undefined)
        return err(invalid('dns_server_id', 'must be the id of a DNS server of this account'));
      const existing = await store.localRecords.list(account);
      const imported = importHosts(existing, body.hosts, { account, profile, newId: () => newId(deps) });
      if (!imported.ok) return imported;
      const { added, unchanged, errors } = imported.value;
      await store.localRecords.add(account, added);
      const audit = {
        action: 'local_record.import',
        subject: account,
        ...changed(
          [],
          added.map(({ name, value }) => `${value} ${name}`),
        ),
      };
      return ok({ reply: { added: added.length, unchanged, errors: [...errors] }, audit });
    },
  }),
];
