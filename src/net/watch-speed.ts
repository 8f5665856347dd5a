import type { DownloadSettings } from './download-settings.ts';

const GRACE_MS = 10_000;
const CHECK_EVERY_MS = 1000;

export type SpeedWatch = { readonly note: (receivedBytes: number) => void; readonly stop: () => void };

/**
 * Calls `onTooSlow` once the average since the first byte is below the minimum, 10 s after that byte at the earliest.
 * Before the first byte only the timeout of the attempt applies.
 */
export function watchSpeed(
  { minBytesPerSecond, now }: Pick<DownloadSettings, 'minBytesPerSecond' | 'now'>,
  onTooSlow: () => void,
): SpeedWatch {
  let received = 0;
  let firstAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const check = (): void => {
    const elapsedMs = now() - firstAt!;
    const isTooSlow = elapsedMs >= GRACE_MS && received * 1000 < minBytesPerSecond * elapsedMs;
    if (isTooSlow) onTooSlow();
    else timer = setTimeout(check, CHECK_EVERY_MS);
  };
  return {
    note(receivedBytes) {
      received = receivedBytes;
      if (firstAt !== undefined || minBytesPerSecond === 0) return;
      firstAt = now();
      timer = setTimeout(check, GRACE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
