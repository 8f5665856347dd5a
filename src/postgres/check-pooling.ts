import type pg from 'pg';
import type { PostgresPool } from './open-pool.ts';

/** Repeated, because other clients of the pooler may use the server connection in between. */
const TRIES = 5;

/**
 * Detects a pooler such as PgBouncer that shares server connections between clients per transaction. Session settings, prepared statements
 * and LISTEN would then be lost or affect another client.
 */
export async function sharesConnections(pool: PostgresPool): Promise<boolean> {
  const one = await pool.connectAlone();
  try {
    // A pooler gives its clients a process id that differs from that of the server.
    if ((await backendOf(one)) === (one as { readonly processID?: number }).processID) return false;
    const other = await pool.connectAlone();
    try {
      for (let tries = 1; tries <= TRIES; tries++) if ((await backendOf(one)) === (await backendOf(other))) return true;
      return false;
    } finally {
      pool.destroy(other);
    }
  } finally {
    pool.destroy(one);
  }
}

async function backendOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ readonly pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
