import { sendToNotifySocket } from '../platform/notify-socket.ts';

type Options = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The watchdog is notified only while this is true, so that systemd restarts a stuck service. */
  readonly isHealthy: () => boolean;
  readonly warn: (details: object, text: string) => void;
};

/** Reports the state of the service to systemd (Type=notify, WatchdogSec). Does nothing elsewhere. */
export function openServiceManager({ env, isHealthy, warn }: Options) {
  const socket = env['NOTIFY_SOCKET'];
  const send = (message: string): void => {
    if (!socket) return;
    const reason = sendToNotifySocket(socket, message);
    if (reason !== undefined) warn({ reason, message }, 'systemd could not be notified');
  };
  // Half of the watchdog timeout, as recommended by sd_watchdog_enabled(3).
  const watchdogMs = Number(env['WATCHDOG_USEC'] ?? 0) / 2000;
  const isForThisProcess = Number(env['WATCHDOG_PID'] ?? process.pid) === process.pid;
  const timer =
    watchdogMs > 0 && isForThisProcess
      ? setInterval(() => isHealthy() && send('WATCHDOG=1'), watchdogMs).unref()
      : undefined;
  return {
    ready: (): void => send('READY=1'),
    reloading: (): void => send(`RELOADING=1\nMONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`),
    stopping: (): void => {
      clearInterval(timer);
      send('STOPPING=1');
    },
  };
}
