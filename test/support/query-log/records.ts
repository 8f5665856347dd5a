import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, type TestOptions, test } from 'node:test';
import { filteringSources, filteringStatuses, queryProtocols } from '../../../src/domain/query-record.ts';
import { wireName } from '../../../src/kit/wire-name.ts';
import { threadFile } from '../../../src/platform/thread-file.ts';
import {
  type IngestMessage,
  type LogLocation,
  newRingRecord,
  openQueryLog,
  openRingWriter,
  type QueryLog,
  type RingRecord,
} from '../../../src/query-log/index.ts';
import { newPostgresDatabase } from '../store/postgres.ts';

type Test = Pick<TestContext, 'after'>;
export const everything = { from: 0, to: 8e15, limit: 1000 };
export const statusNumber = (status: (typeof filteringStatuses)[number]): number => filteringStatuses.indexOf(status);
export const sourceNumber = (source: (typeof filteringSources)[number]): number => filteringSources.indexOf(source);

export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-records-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A query for `example.org` of the phone of `home`, with overrides. */
export function aQuery(domain = 'example.org', different: Partial<RingRecord> = {}): RingRecord {
  const name = wireName(domain)!;
  return {
    ...newRingRecord(),
    time: Date.now(),
    type: 1,
    protocol: queryProtocols.indexOf('DOT'),
    status: statusNumber('NONE'),
    client: Uint8Array.of(192, 0, 2, 77),
    clientLength: 4,
    name,
    nameLength: name.length,
    ...different,
  };
}

export type Kept = QueryLog & {
  readonly put: (record: RingRecord, ring?: number) => boolean;
  readonly name: (message: IngestMessage) => void;
  readonly problems: unknown[];
};

export async function openKept(
  t: Test,
  log: LogLocation,
  different: Partial<Parameters<typeof openQueryLog>[0]> = {},
): Promise<Kept> {
  const problems: unknown[] = [];
  const records = await openQueryLog({
    log,
    rings: 2,
    thread: threadFile('app/query-log-thread'),
    companies: undefined,
    geoDatabases: [],
    onProblem: (problem) => problems.push(problem),
    ...different,
  });
  // A test may have stopped it already.
  t.after(() => records.stop().catch(() => undefined));
  const name = (message: IngestMessage): void => records.clientIdPort.postMessage(message);
  for (const [clientId, account] of ['home', 'office'].entries())
    name({
      kind: 'client',
      clientId,
      account,
      dnsServer: `server of ${account}`,
      device: 'phone',
      ipLog: clientId === 1,
    });
  const writers = records.rings.map(openRingWriter);
  return { ...records, problems, name, put: (record, ring = 0) => writers[ring]!.put(record) };
}

const locations: Readonly<Record<string, (t: Test) => Promise<LogLocation | undefined>>> = {
  SQLite: async (t) => ({ folder: join(await temporaryFolder(t), 'log') }),
  PostgreSQL: async () => {
    const url = await newPostgresDatabase();
    return url === undefined ? undefined : { postgres: url };
  },
};

export function testRecords(
  name: string,
  run: (t: TestContext, location: LogLocation) => Promise<void>,
  options: TestOptions = {},
): void {
  for (const [database, locationOf] of Object.entries(locations))
    test(`${name} (${database})`, options, async (t) => {
      const location = await locationOf(t);
      if (location) await run(t, location);
      else t.skip('there is no PostgreSQL here');
    });
}
