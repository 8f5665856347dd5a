import type pg from 'pg';
import type { PostgresPool } from './open-pool.ts';

/** Other clients of the pooler may take the connection of the server in between. */
const TRIES = 5;

/**
 * Whether a pooler such as PgBouncer lets clients share connections of the server between transactions. Then settings of a session,
 * prepared statements and LISTEN are lost or reach another client.
 */
export async function sharesConnections(pool: PostgresPool): Promise<boolean> {
  const one = await pool.connectAlone();
  try {
    // A pooler gives its clients another number than the server.
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
