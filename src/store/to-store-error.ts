import { StoreError, type StoreFailure } from '../domain/store-error.ts';

const messages: Partial<Record<StoreFailure, string>> = {
  busy: 'the database is locked by another process',
  'disk full': 'the disk with the database is full',
  'read only': 'the database cannot be written',
  corrupt: 'the database is damaged; it was not changed',
  unreachable: 'the database cannot be reached',
  taken: 'a row with this id, address or name exists',
};

// https://www.sqlite.org/rescode.html: primary codes, which are the lowest byte of the extended ones.
const bySqliteCode: Readonly<Record<number, StoreFailure>> = {
  5: 'busy',
  6: 'busy',
  8: 'read only',
  10: 'unreachable',
  11: 'corrupt',
  13: 'disk full',
  14: 'unreachable',
  26: 'corrupt',
};
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555;
const SQLITE_CONSTRAINT_UNIQUE = 2067;

// System errors, and PostgreSQL errors by code or class: https://www.postgresql.org/docs/current/errcodes-appendix.html
const byCode: Readonly<Record<string, StoreFailure>> = {
  ENOSPC: 'disk full',
  EDQUOT: 'disk full',
  EROFS: 'read only',
  EACCES: 'read only',
  '23505': 'taken',
  '25006': 'read only',
  '53100': 'disk full',
  '55P03': 'busy',
  '57014': 'busy',
  '08': 'unreachable',
  '53': 'unreachable',
  '57': 'unreachable',
  XX: 'corrupt',
};

/** Translates errors of both databases. An unknown error is returned unchanged. */
export function toStoreError(error: unknown): unknown {
  const failure = error instanceof StoreError ? undefined : failureOf(error);
  return failure ? new StoreError(failure, messages[failure] ?? failure, error) : error;
}

export function withStoreErrors<T>(job: () => T): T {
  try {
    return job();
  } catch (error) {
    throw toStoreError(error);
  }
}

function failureOf(error: unknown): StoreFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') {
    const { errcode } = error;
    if (errcode === SQLITE_CONSTRAINT_UNIQUE || errcode === SQLITE_CONSTRAINT_PRIMARYKEY) return 'taken';
    return bySqliteCode[errcode & 0xff];
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return byCode[code] ?? byCode[code.slice(0, 2)] ?? (isConnectionError(error, code) ? 'unreachable' : undefined);
}

// The PostgreSQL driver has no codes for these.
const isConnectionError = (error: Error, code: string): boolean =>
  /^E(CONN|HOST|NET|TIMEDOUT|PIPE|AI_|NOTFOUND)/.test(code) ||
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(error.message);
