import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FromDns } from '../dns-server/thread-messages.ts';
import { isObject } from '../kit/is-object.ts';
import { workLoop } from '../kit/single-flight.ts';
import { writeAtomic } from '../platform/write-atomic.ts';

/** `id` identifies it to the controller, which applies it once. */
export type SavedRequest = { readonly id: string; readonly at: number; readonly request: FromDns };

export const savedRequestsPath = (data: string): string => join(data, 'controller-requests.json');

/** Requests that the controller has not received yet. The file is rewritten after every change. */
export async function openSavedRequests(path: string, onProblem: (problem: unknown) => void) {
  let latest: readonly SavedRequest[] | undefined;
  const writes = workLoop(
    () => latest !== undefined,
    async () => {
      const requests = latest;
      latest = undefined;
      await writeAtomic(path, JSON.stringify({ requests })).catch(onProblem);
    },
  );

  return {
    /** Requests of the last run. */
    requests: await read(path, onProblem),
    save: (requests: readonly SavedRequest[]): void => {
      latest = requests;
      void writes.start();
    },
    /** Resolves when the requests of the last call are written. */
    saved: writes.ended,
  };
}

async function read(path: string, onProblem: (problem: unknown) => void): Promise<readonly SavedRequest[]> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (isObject(content) && Array.isArray(content['requests'])) return content['requests'] as SavedRequest[];
    onProblem(new Error(`${path} does not contain requests`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(error);
  }
  return [];
}
