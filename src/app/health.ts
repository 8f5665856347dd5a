import type { HealthParts } from './health-parts.ts';

type DnsState = 'listening' | 'not answering' | 'off';

/** The state that the health checks report. */
export type Health = {
  readonly isStopping: () => boolean;
  readonly dns: () => DnsState;
  readonly areSettingsCurrent: () => boolean;
  readonly parts: () => Promise<HealthParts>;
};

export const live = { status: 'live' } as const;

/** The status and the body of the readiness check. */
export async function readiness({ isStopping, dns, areSettingsCurrent, parts }: Health) {
  const states = await parts();
  const isReady = !isStopping() && dns() !== 'not answering';
  return {
    status: isReady ? 200 : 503,
    body: {
      status: isReady ? 'ready' : 'not ready',
      dns: dns(),
      ...(!areSettingsCurrent() && { settings: 'last known' }),
      parts: states,
    },
  } as const;
}
