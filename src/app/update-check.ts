import type { SystemState } from '../api/deps.ts';
import { isNewerVersion, versionIn } from '../domain/newer-version.ts';
import { DAY_MS, HOUR_MS } from '../kit/durations.ts';
import { messageOf } from '../kit/message-of.ts';

const PATIENCE_MS = 10_000;
const MAX_BYTES = 1_000_000;

export type UpdateState = NonNullable<SystemState['update']>;
export type UpdateCheck = { readonly state: () => UpdateState | undefined; readonly stop: () => void };

/** Reads the newest version once a day; an hour later after a failure. Without a URL nothing is requested. */
export function checkForUpdates(url: string | undefined, running: string): UpdateCheck {
  if (url === undefined) return { state: () => undefined, stop: () => undefined };
  let state: UpdateState = {};
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  const check = async (): Promise<void> => {
    const checkedAt = Date.now();
    try {
      const newest = await readVersion(url, AbortSignal.any([stopping.signal, AbortSignal.timeout(PATIENCE_MS)]));
      state = { checkedAt, ...(isNewerVersion(newest, running) && { version: newest }) };
    } catch (error) {
      // Keeps a newer version that was found earlier.
      const { version } = state;
      state = { checkedAt, ...(version !== undefined && { version }), problem: messageOf(error) };
    }
    if (!stopping.signal.aborted)
      timer = setTimeout(() => void check(), state.problem === undefined ? DAY_MS : HOUR_MS).unref();
  };
  void check();
  return {
    state: () => state,
    stop: () => {
      stopping.abort();
      clearTimeout(timer);
    },
  };
}

async function readVersion(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal, headers: { accept: 'application/json, text/plain' } }).catch(
    (error: unknown) => {
      // Uses the cause of "fetch failed", which has the host and the error.
      throw error instanceof TypeError && error.cause !== undefined ? error.cause : error;
    },
  );
  if (!response.ok) throw new Error(`status ${response.status}`);
  const version = versionIn(await readText(response));
  if (version === undefined) throw new Error('the answer has no version such as 1.2.3');
  return version;
}

async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`the answer has more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
