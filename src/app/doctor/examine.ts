import type { Settings } from '../../settings/settings.ts';
import { askServer } from './ask-server.ts';
import { checkCertificate } from './check-certificate.ts';
import { checkClock, checkDataFolder, checkProgram } from './check-machine.ts';
import { checkLan, checkPorts, checkUpstreams } from './check-network.ts';
import type { Finding } from './finding.ts';

const PATIENCE_MS = 2000;

/** Checks the machine and the settings, and the service if it runs. Changes nothing. */
export async function examine(settings: Settings): Promise<readonly Finding[]> {
  const isRunning = await answersHttp(settings);
  return [
    ...checkProgram(),
    ...(await checkDataFolder(settings.data)),
    ...(await checkPorts(settings, isRunning)),
    ...(await checkUpstreams(settings, askServer)),
    ...(isRunning ? await checkLan(settings, askServer) : []),
    ...(await checkCertificate(settings, Date.now())),
    checkClock(Date.now(), await timeOfUpstream(settings.upstream)),
  ];
}

async function answersHttp({ http }: Settings): Promise<boolean> {
  const url = `http://127.0.0.1:${http.port}/health/live`;
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  const body = await response?.text();
  return body?.includes('"live"') ?? false;
}

/** Time from the Date header of an HTTPS upstream, if there is one. */
async function timeOfUpstream(upstreams: readonly string[]): Promise<number | undefined> {
  const url = upstreams.find((upstream) => upstream.startsWith('https://'))?.split('#', 1)[0];
  if (url === undefined) return undefined;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(url, { method: 'HEAD', signal }).catch(() => undefined);
  const date = Date.parse(response?.headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}
