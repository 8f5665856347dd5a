import type { BackupSummary } from '../../src/client/operations.ts';
import { type ErrorBody, WeirError } from '../../src/client/weir-error.ts';
import { ApiError, problemFrom } from './api-error.ts';

export type { BackupSummary } from '../../src/client/operations.ts';

const paths = {
  /** With the set-up code, while no account exists. */
  'set up': { check: '/api/v1/set_up/backup/check', restore: '/api/v1/set_up/backup' },
  /** In the session of the operator: replaces all accounts. */
  system: { check: '/api/v1/system/backup/check', restore: '/api/v1/system/backup/restore' },
} as const;

type SentBackup = {
  readonly at: keyof typeof paths;
  readonly action: 'check' | 'restore';
  readonly code: string;
  readonly file: File;
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void;
};

/** Sends the file each time: nothing of it stays on the server in between. `fetch` does not report the progress of an upload. */
export const sendBackup = ({ at, action, code, file, onProgress }: SentBackup): Promise<BackupSummary> =>
  new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    const fail = (body?: ErrorBody): void =>
      reject(new ApiError(problemFrom(new WeirError(action, { status: sending.status, ...(body && { body }) }))));
    sending.open('POST', paths[at][action]);
    if (at === 'set up') sending.setRequestHeader('authorization', `Bearer ${code.replaceAll(/[^\w-]/g, '')}`);
    sending.setRequestHeader('content-type', 'application/x-weir-backup');
    sending.responseType = 'json';
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    sending.onerror = () => fail();
    sending.onload = () =>
      sending.status === 200 ? resolve(sending.response as BackupSummary) : fail((sending.response ?? {}) as ErrorBody);
    sending.send(file);
  });
