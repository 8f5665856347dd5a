import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isUnitRun } from '../../../test/support/kit/slow.ts';
import { newClickhouseDatabase } from '../../../test/support/query-log/clickhouse.ts';
import { aRecord } from '../../../test/support/query-log/logs.ts';
import { toLogStore } from '../log-engine.ts';
import { openClickhouseLog } from './clickhouse-log.ts';

type Dashboard = {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly rawSql: string }[] }[];
};

const document = readFileSync('docs/query-log.md', 'utf8');
const database = await newClickhouseDatabase();
const needsClickhouse = { skip: !database && !isUnitRun && 'there is no ClickHouse here' };

const time = Date.now() - 1000;
if (database)
  await toLogStore(openClickhouseLog(database.url, { now: Date.now })).append([
    aRecord({ time }),
    aRecord({ time, status: 'REQUEST_BLOCKED', source: 'FILTERS', filterId: 'list', rule: '||example.org^' }),
    aRecord({ time, rcode: 2, domain: 'failing.example' }),
    aRecord({ time, rcode: 3, domain: 'nonexistent.example' }),
  ]);

test('the queries in the document return rows', needsClickhouse, async () => {
  if (!database) return;
  const queries = [...document.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql!);
  assert.equal(queries.length, 10);
  for (const sql of queries) assert.notEqual((await database.run(sql)).trim(), '', sql);
});

test('the document names every column of the rows', needsClickhouse, async () => {
  if (!database) return;
  const columns = await database.run(
    "SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'queries'",
  );
  const [, section = ''] = document.split('| column of `queries` |');
  const [table = ''] = section.split('\n\n');
  const named = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)]);
  const existing = columns
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as [string])[0]);
  assert.deepEqual(named.map(([, name]) => name!).sort(), existing.sort());
});

/** The macros of Grafana's data source for ClickHouse that the dashboard uses. */
const macros: readonly (readonly [RegExp, string])[] = [
  [/\$__timeFilter\((\w+)\)/g, '$1 >= now() - INTERVAL 6 HOUR AND $1 <= now()'],
  [/\$__timeInterval\((\w+)\)/g, 'toStartOfInterval(toDateTime($1), INTERVAL 60 second)'],
  [/\$__interval_s/g, '60'],
];

test('the queries of the dashboard return rows', needsClickhouse, async () => {
  if (!database) return;
  const { panels } = JSON.parse(readFileSync('deploy/grafana/clickhouse.json', 'utf8')) as Dashboard;
  assert.ok(panels.length >= 8);
  for (const { title, targets } of panels)
    for (const { rawSql } of targets) {
      const sql = macros.reduce((text, [macro, meaning]) => text.replace(macro, meaning), rawSql);
      assert.doesNotMatch(sql, /\$/, title);
      assert.notEqual((await database.run(sql)).trim(), '', title);
    }
});
