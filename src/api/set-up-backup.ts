import type { Readable } from 'node:stream';
import Type, { type Static } from 'typebox';
import { parseAuthorization } from '../domain/authorization.ts';
import { invalid } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { isSetUpToken } from '../operations/set-up.ts';
import type { Deps } from './deps.ts';
import type { ApiError } from './errors.ts';
import { type Operation, publicRoute } from './operation.ts';
import { wrongSetUpToken } from './set-up.ts';
import { type BackupAction, UPLOAD_TYPE } from './upload.ts';
import { int32, int64, object } from './wire/named.ts';

export const BackupFile = Type.Unsafe<Readable>({
  type: 'string',
  format: 'binary',
  description: 'File of `weir backup`.',
});

export const BackupSummary = object('BackupSummary', 'Content of a backup.', {
  created_millis: int64({ description: 'Milliseconds since 1970.' }),
  accounts: int32(),
  devices: int32(),
});

type Given = { readonly authorization: readonly string[]; readonly body: Readable };

/** The code is a bearer token, because the body is the file. It is checked before the file is read. */
async function use(
  deps: Deps,
  { authorization, body }: Given,
  action: BackupAction,
): Promise<Result<Static<typeof BackupSummary>, ApiError>> {
  const token = authorization.length === 1 ? parseAuthorization(authorization[0])?.secret : undefined;
  if (token === undefined || !(await isSetUpToken(deps.store.read, deps, token))) return wrongSetUpToken;
  return backupToWire(await deps.restoreUpload(body, action));
}

export function backupToWire(
  used: Awaited<ReturnType<Deps['restoreUpload']>>,
): Result<Static<typeof BackupSummary>, ApiError> {
  if (!used.ok) return err(used.error.kind === 'too large' ? used.error : invalid('backup', used.error.why));
  const { createdAt, accounts, devices } = used.value;
  return ok({ created_millis: createdAt, accounts, devices });
}

const described = {
  method: 'POST',
  group: 'Setup',
  body: BackupFile,
  bodyTypes: [UPLOAD_TYPE],
  reply: BackupSummary,
  errors: [400],
} as const;

export const setUpBackupOperations: readonly Operation[] = [
  publicRoute({
    ...described,
    path: '/api/v1/set_up/backup/check',
    operationId: 'checkBackup',
    summary: 'Check a backup',
    description:
      'Possible only while no account exists. Send the setup token as `Authorization: Bearer TOKEN`. Nothing is stored.',
    responseDescription: 'The backup is complete and can be restored.',
    run: (deps, input) => use(deps, input, 'check'),
  }),
  publicRoute({
    ...described,
    path: '/api/v1/set_up/backup',
    operationId: 'restoreBackup',
    summary: 'Restore a backup',
    description:
      'Possible only while no account exists. Send the setup token as `Authorization: Bearer TOKEN`. All accounts and settings of the backup are restored, or nothing.',
    responseDescription: 'The backup is restored. Sign in with an account of it.',
    run: (deps, input) => use(deps, input, 'restore'),
  }),
];
