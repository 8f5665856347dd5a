/** A unique constraint was violated. Generated ids are regenerated; a duplicate e-mail address is rejected. */
export type Conflict = { readonly kind: 'conflict'; readonly what: 'id' | 'email' | 'hash' | 'address' | 'name' };

/** Reason why the store cannot execute a request. */
export type StoreFailure =
  /** Another process has locked the database for too long. */
  | 'busy'
  | 'disk full'
  | 'read only'
  | 'corrupt'
  | 'unreachable'
  /** The file is missing, empty or was replaced, although it is known to have contained settings. */
  | 'lost'
  /** A row with this id, address or name exists. */
  | 'taken'
  /** The change is committed, but not every listener has applied it yet. It is retried. */
  | 'not applied'
  /** Written by a newer version. */
  | 'newer'
  /** The database server, or its configuration, cannot be used. */
  | 'unsupported'
  /** Another server runs on this folder. */
  | 'in use'
  /** A backup that cannot be restored here. */
  | 'not restorable';

/** A failure of the settings store or the query log. */
export abstract class StorageError extends Error {
  /** The same request may succeed later, without a change of this program or of the request. */
  abstract readonly isTemporary: boolean;
  abstract readonly part: 'database' | 'query log';
}

const temporary: ReadonlySet<StoreFailure> = new Set([
  'busy',
  'disk full',
  'read only',
  'corrupt',
  'unreachable',
  'lost',
]);

export class StoreError extends StorageError {
  override readonly name = 'StoreError';
  readonly part = 'database';
  readonly kind: StoreFailure;
  readonly isTemporary: boolean;

  constructor(kind: StoreFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.isTemporary = temporary.has(kind);
  }
}

/** Too much work is waiting; the caller should retry later. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';
}
