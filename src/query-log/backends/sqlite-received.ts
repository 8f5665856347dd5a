import { KEEP_RECEIVED_MS } from './log-backend.ts';
import type { SqliteFile } from './sqlite-file.ts';
import { weekOf } from './sqlite-files.ts';

// Created by the first batch of another node: most logs have none, and opening a file must not write.
const CREATE_TABLE =
  'CREATE TABLE IF NOT EXISTS received (id TEXT PRIMARY KEY, stored_at INTEGER NOT NULL) WITHOUT ROWID';
const CREATE_INDEX = 'CREATE INDEX IF NOT EXISTS received_by_age ON received (stored_at)';

type Received = { readonly id: string; readonly times: readonly number[]; readonly now: number };

/** Stores the id in each file of rows of the batch. Returns whether rows of a time are new. */
export function receiveBatch(weekFile: (time: number) => SqliteFile, { id, times, now }: Received) {
  const weeks = new Set(times.map(weekOf));
  const isNew = new Map(Array.from(weeks, (week) => [week, receiveIn(weekFile(week), id, now)]));
  return (time: number): boolean => isNew.get(weekOf(time))!;
}

function receiveIn(file: SqliteFile, id: string, now: number): boolean {
  file.run(CREATE_TABLE);
  file.run(CREATE_INDEX);
  file.run('DELETE FROM received WHERE stored_at < ?', now - KEEP_RECEIVED_MS);
  if (file.get('SELECT 1 AS found FROM received WHERE id = ?', id)) return false;
  file.run('INSERT INTO received (id, stored_at) VALUES (?, ?)', id, now);
  return true;
}
