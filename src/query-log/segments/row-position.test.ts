import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../../test/support/query-log/logs.ts';
import { packColumns } from './columns.ts';
import { openColumns } from './open-columns.ts';
import { MAX_BATCH_ROWS } from './raw-rows.ts';
import { newestFirst, positionColumns, positionsIn } from './row-position.ts';
import { dayOf } from './row-table.ts';

test('positions of rows of several batches are read as they were encoded', () => {
  const origin = { dayStart: dayOf(NOW), batch: 12 };
  const sequences = Float64Array.of(12, 12, 3, 12, 11).map((batch, row) => batch * MAX_BATCH_ROWS + row * 1000);
  const times = Float64Array.from(sequences, (_, row) => NOW - row);
  const open = openColumns(packColumns(times.length, positionColumns(times, sequences, origin)));
  const at = positionsIn(open, origin);
  assert.deepEqual(
    Array.from(times, (time, row) => ({ time, sequence: sequences[row] })),
    Array.from(times, (_, row) => at(row)),
  );
});

test('positions sort by time, then by sequence, newest first', () => {
  const [old, early, late] = [
    { time: 1, sequence: 9 },
    { time: 2, sequence: 3 },
    { time: 2, sequence: 4 },
  ];
  assert.deepEqual([early, old, late].sort(newestFirst), [late, early, old]);
});
