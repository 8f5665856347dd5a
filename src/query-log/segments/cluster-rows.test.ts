import assert from 'node:assert/strict';
import { test } from 'node:test';
import { someRecords, tableFrom } from '../../../test/support/query-log/tables.ts';
import { clustered } from './cluster-rows.ts';
import { columnOf, valuesOf } from './row.ts';

test('rows are ordered by company, device, country and name; equal rows keep their order', () => {
  const table = tableFrom(
    someRecords(60, (row) => ({
      companyId: `c${(row * 7) % 3}`,
      device: `d${(row * 5) % 4}`,
      ...(row % 3 === 0 ? {} : { responseCountry: 'DE' }),
      domain: `name-${row % 2}.example`,
    })),
  );
  const chosen = Uint32Array.from({ length: 40 }, (_, index) => 59 - index);
  const order = clustered(table, chosen);
  assert.deepEqual(order.toSorted(), chosen.toSorted());
  const fields = ['companyId', 'device', 'responseCountry', 'domain'] as const;
  const groups = Array.from(order, (row) => fields.map((field) => valuesOf(table, row)[columnOf(field)]).join());
  // Each combination is one run of rows, and so is each company and each device of a company.
  for (const length of [1, 2, 3, 4]) {
    const prefixes = groups.map((group) => group.split(',').slice(0, length).join());
    const runs = prefixes.filter((prefix, index) => prefix !== prefixes[index - 1]);
    assert.equal(runs.length, new Set(prefixes).size, `the first ${length} fields`);
  }
  const rowsOf = (group: string): number[] => [...order].filter((_, index) => groups[index] === group);
  for (const group of new Set(groups))
    assert.deepEqual(
      rowsOf(group),
      [...rowsOf(group)].sort((one, other) => other - one),
    );
});

test('of no rows there is no order', () => {
  assert.equal(clustered(tableFrom(someRecords(3)), new Uint32Array(0)).length, 0);
});
