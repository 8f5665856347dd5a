import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from './errors.ts';

/** Bodies of this type are streamed, without the size limit of other bodies. */
export const UPLOAD_TYPE = 'application/x-weir-backup';

export const acceptUploads = (scope: FastifyInstance): void => {
  scope.addContentTypeParser(UPLOAD_TYPE, (_request, body, done) => done(null, body));
};

export const readUpload = ({ body }: FastifyRequest): Result<Readable, ApiError> =>
  body instanceof Readable ? ok(body) : err({ kind: 'wrong content type', wanted: UPLOAD_TYPE });

/** `restore`: into a store without accounts; `replace`: in place of all accounts, after a backup of them. */
export type BackupAction = 'check' | 'restore' | 'replace';

/** Checks or restores a backup that a client sends. */
export type BackupUpload = (
  content: Readable,
  action: BackupAction,
) => Promise<
  Result<
    { readonly createdAt: number; readonly accounts: number; readonly devices: number },
    { readonly kind: 'too large' } | { readonly kind: 'not restorable'; readonly why: string }
  >
>;
