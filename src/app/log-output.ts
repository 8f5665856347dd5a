import { writeSync } from 'node:fs';

const STANDARD_OUTPUT = 1;
const RETRY_MS = 1000;
/** Buffer for a pipe whose reader is temporarily slow. */
const SOON_MS = 20;
const MAX_WAITING_BYTES = 256 * 1024;

type LogCounts = {
  /** Writes that failed, each of which is retried. */
  readonly errors: number;
  /** Lines dropped because too many waited. */
  readonly lost: number;
};

export type LogOutput = {
  readonly write: (line: string) => void;
  readonly counts: () => LogCounts;
  /** Called once all waiting lines are written, with the number of lines lost since the first error. */
  readonly onRecovered: (listener: (lost: number) => void) => void;
};

/** Writes the bytes and returns how many were written; throws as `fs.writeSync` does. */
type WriteBytes = (bytes: Uint8Array) => number;

/**
 * Writes lines synchronously and in order. If a write fails (disk full, closed pipe), it buffers the newest lines and
 * retries: a failing log must not stop the service.
 */
export function openLogOutput(
  writeBytes: WriteBytes = (bytes) => writeSync(STANDARD_OUTPUT, bytes),
  retryMs = RETRY_MS,
): LogOutput {
  const waiting: Buffer[] = [];
  let waitingBytes = 0;
  // The first line may be partly written and must not be dropped.
  let isHeadBegun = false;
  let timer: NodeJS.Timeout | undefined;
  let errors = 0;
  let lost = 0;
  let lostNow = 0;
  let reported = 0;
  let recovered: (lost: number) => void = () => {};

  const drop = (): void => {
    while (waitingBytes > MAX_WAITING_BYTES && waiting.length > 1) {
      const [gone] = waiting.splice(isHeadBegun ? 1 : 0, 1);
      waitingBytes -= gone!.length;
      lost += 1;
      lostNow += 1;
    }
  };

  const writeWaiting = (): void => {
    for (let head = waiting[0]; head; head = waiting[0]) {
      const written = writeBytes(head);
      waitingBytes -= written;
      isHeadBegun = written < head.length;
      if (isHeadBegun) waiting[0] = head.subarray(written);
      else waiting.shift();
    }
  };

  const flush = (): void => {
    const wasFailing = timer !== undefined;
    timer = undefined;
    try {
      writeWaiting();
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (!isBusy) errors += 1;
      timer = setTimeout(flush, isBusy ? SOON_MS : retryMs).unref();
      return;
    }
    if (!wasFailing || (errors === reported && lostNow === 0)) return;
    reported = errors;
    const lostLines = lostNow;
    lostNow = 0;
    recovered(lostLines);
  };

  return {
    write(line) {
      const bytes = Buffer.from(line);
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (timer) drop();
      else flush();
    },
    counts: () => ({ errors, lost }),
    onRecovered(listener) {
      recovered = listener;
    },
  };
}
