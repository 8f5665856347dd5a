import { bucketUnits } from '../../domain/statistics.ts';
import { LogError } from '../log-store.ts';
import { type ClickhouseClient, codeOf, UNKNOWN_DATABASE, UNKNOWN_TABLE } from './client.ts';

/** Operators query these tables themselves: docs/query-log.md describes them. */
export const rollupTables = { minute: 'queries_by_minute', hour: 'queries_by_hour', day: 'queries_by_day' } as const;

/** Number of recent blocks that are deduplicated. A block is at most one day of one insert. */
const REMEMBERED_BLOCKS = 10_000;
/** Maximum of the column type of expiry times. */
export const NEVER_SECONDS = 2 ** 32 - 1;

const dimensions = `dns_server LowCardinality(String),
  device LowCardinality(String),
  company_id LowCardinality(String),
  category LowCardinality(String),
  response_country LowCardinality(String),
  domain String CODEC(ZSTD(1))`;
const dimensionNames = 'dns_server, device, company_id, category, response_country, domain';
const settings = `SETTINGS non_replicated_deduplication_window = ${REMEMBERED_BLOCKS}`;

/** Partitions are dropped as a whole when all their counts have expired. */
const rollupPartition = { minute: 'toDate(start)', hour: 'toYYYYMM(start)', day: 'toYear(start)' } as const;
export const startOf = {
  minute: 'toStartOfMinute(time)',
  hour: 'toStartOfHour(time)',
  day: 'toStartOfDay(time)',
} as const;

const queries = `CREATE TABLE IF NOT EXISTS queries (
  account String CODEC(ZSTD(1)),
  time DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  sequence UInt64 CODEC(Delta, ZSTD(1)),
  expires DateTime('UTC') CODEC(Delta, ZSTD(1)),
  domain String CODEC(ZSTD(1)),
  device LowCardinality(String),
  dns_server LowCardinality(String),
  response_country LowCardinality(String),
  company_id LowCardinality(String),
  category LowCardinality(String),
  status LowCardinality(String),
  type UInt16,
  rcode UInt16,
  protocol LowCardinality(String),
  source LowCardinality(String),
  filter_id LowCardinality(String),
  service_id LowCardinality(String),
  client_country LowCardinality(String),
  asn Nullable(UInt32),
  network LowCardinality(Nullable(String)),
  dnssec Bool,
  client_subnet LowCardinality(String),
  rule String CODEC(ZSTD(1))
) ENGINE = MergeTree
PARTITION BY toDate(time)
ORDER BY (account, time, sequence)
TTL expires
${settings}`;

const rollups = bucketUnits.flatMap((unit) => [
  `CREATE TABLE IF NOT EXISTS ${rollupTables[unit]} (
  account String CODEC(ZSTD(1)),
  start DateTime('UTC') CODEC(Delta, ZSTD(1)),
  ${dimensions},
  queries SimpleAggregateFunction(sum, UInt64),
  blocked SimpleAggregateFunction(sum, UInt64),
  last SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
) ENGINE = AggregatingMergeTree
PARTITION BY ${rollupPartition[unit]}
ORDER BY (account, start, ${dimensionNames})
${settings}`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS ${rollupTables[unit]}_view TO ${rollupTables[unit]} AS
SELECT account, ${startOf[unit]} AS start, ${dimensionNames},
  count() AS queries, countIf(status IN ('REQUEST_BLOCKED', 'RESPONSE_BLOCKED')) AS blocked, max(time) AS last
FROM queries
GROUP BY account, start, ${dimensionNames}`,
]);

/** Numbers of queries for the limits of plans, which are retained when an account clears its log. */
const requests = [
  `CREATE TABLE IF NOT EXISTS requests (
  account String CODEC(ZSTD(1)),
  start DateTime('UTC') CODEC(Delta, ZSTD(1)),
  queries UInt64
) ENGINE = SummingMergeTree(queries)
PARTITION BY toYYYYMM(start)
ORDER BY (account, start)
${settings}`,
  `CREATE MATERIALIZED VIEW IF NOT EXISTS requests_view TO requests AS
SELECT account, toStartOfHour(time) AS start, count() AS queries FROM queries GROUP BY account, start`,
];

/** The retention of accounts that is applied to their rows. */
const retention = `CREATE TABLE IF NOT EXISTS retention (
  account String,
  minutes Nullable(UInt32),
  changed DateTime64(3, 'UTC') DEFAULT now64(3)
) ENGINE = ReplacingMergeTree(changed)
ORDER BY account`;

const latency = 'ALTER TABLE queries ADD COLUMN IF NOT EXISTS latency_ms Nullable(UInt16) AFTER client_subnet';

/** Statements that upgrade each version to the next. They are idempotent, because two nodes may start at the same time. */
const versions: readonly (readonly string[])[] = [[queries, ...rollups, ...requests, retention], [latency]];

const VERSION_TABLE = 'schema_versions';

/** Creates the tables, or upgrades them to this version. */
export async function upgradeSchema(client: ClickhouseClient, database: string): Promise<void> {
  const current = await currentVersion(client, database);
  if (current > versions.length) throw new LogError('newer format');
  for (const [before, statements] of versions.entries()) {
    if (before < current) continue;
    for (const statement of statements) await client.run(statement);
    await client.run(`INSERT INTO ${VERSION_TABLE} (version) VALUES (${before + 1})`);
  }
}

async function currentVersion(client: ClickhouseClient, database: string): Promise<number> {
  const select = async (): Promise<number> => {
    const [row] = await client.select<[number]>(`SELECT max(version) FROM ${VERSION_TABLE}`);
    return row![0];
  };
  try {
    return await select();
  } catch (error) {
    const code = codeOf(error);
    if (code !== UNKNOWN_TABLE && code !== UNKNOWN_DATABASE) throw error;
    if (code === UNKNOWN_DATABASE)
      await client.run(`CREATE DATABASE IF NOT EXISTS ${database}`, { database: 'default' });
    await client.run(
      `CREATE TABLE IF NOT EXISTS ${VERSION_TABLE} (version UInt32, since DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY version`,
    );
    return select();
  }
}
