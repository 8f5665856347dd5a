/** Why the store cannot do now what it was asked. */
export type StoreFailure =
  /** Another process holds the database for too long. */
  | 'busy'
  | 'disk full'
  | 'read only'
  | 'corrupt'
  | 'unreachable'
  /** The file is missing, empty or another one, and settings are known to have been in it. */
  | 'lost'
  /** A thing with this id, address or name exists. */
  | 'taken'
  /** It belongs to a newer program. */
  | 'newer'
  /** Another server runs on this folder. */
  | 'in use'
  /** A backup that cannot be restored here. */
  | 'not restorable';

export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly failure: StoreFailure;

  constructor(failure: StoreFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}

const words: Partial<Record<StoreFailure, string>> = {
  busy: 'the database is locked by another process',
  'disk full': 'the disk with the database is full',
  'read only': 'the database cannot be written',
  corrupt: 'the database is damaged; it was left as it is',
  unreachable: 'the database cannot be reached',
  taken: 'a thing with this id, address or name exists',
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

// Of the system, and of PostgreSQL by code or by its class: https://www.postgresql.org/docs/current/errcodes-appendix.html
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

/** The one place where the words of the two databases become ours. What it does not know it gives back as it is. */
export function toStoreError(error: unknown): unknown {
  const failure = error instanceof StoreError ? undefined : failureOf(error);
  return failure ? new StoreError(failure, words[failure] ?? failure, error) : error;
}

export function told<T>(job: () => T): T {
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
  return byCode[code] ?? byCode[code.slice(0, 2)] ?? (isAboutTheConnection(error, code) ? 'unreachable' : undefined);
}

// The driver of PostgreSQL has no codes for these.
const isAboutTheConnection = (error: Error, code: string): boolean =>
  /^E(CONN|HOST|NET|TIMEDOUT|PIPE|AI_|NOTFOUND)/.test(code) ||
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/.test(error.message);
