import type { BackupSummary } from '../../src/client/operations.ts';
import { type ErrorBody, WeirError } from '../../src/client/weir-error.ts';
import { ApiError, problemFrom } from './api-error.ts';

export type { BackupSummary } from '../../src/client/operations.ts';

const paths = { check: '/api/v1/set_up/backup/check', restore: '/api/v1/set_up/backup' } as const;

export type SentBackup = {
  readonly action: keyof typeof paths;
  readonly code: string;
  readonly file: File;
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void;
};

/** Sends the file each time: nothing of it stays on the server in between. `fetch` does not report the progress of an upload. */
export const sendBackup = ({ action, code, file, onProgress }: SentBackup): Promise<BackupSummary> =>
  new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    const fail = (body?: ErrorBody): void =>
      reject(new ApiError(problemFrom(new WeirError(action, { status: sending.status, ...(body && { body }) }))));
    sending.open('POST', paths[action]);
    sending.setRequestHeader('authorization', `Bearer ${code.replaceAll(/[^\w-]/g, '')}`);
    sending.setRequestHeader('content-type', 'application/x-weir-backup');
    sending.responseType = 'json';
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    sending.onerror = () => fail();
    sending.onload = () =>
      sending.status === 200 ? resolve(sending.response as BackupSummary) : fail((sending.response ?? {}) as ErrorBody);
    sending.send(file);
  });
