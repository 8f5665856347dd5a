import { HOUR_MS } from '../kit/durations.ts';
import { messageOf } from '../kit/message-of.ts';
import { createAcmeClient } from './acme-client.ts';
import { AcmeError } from './acme-error.ts';
import {
  type AcmeFailure,
  type AcmeProgress,
  readAccountKey,
  readCertificate,
  readProgress,
  writeCertificate,
  writeProgress,
} from './acme-files.ts';
import { type AcmeRequest, createAcmeRequest } from './acme-request.ts';
import { adviceFor } from './advice.ts';
import type { Challenge, ChallengeKind } from './challenge.ts';
import type { ExternalAccount } from './jws.ts';
import { obtainCertificate } from './obtain-certificate.ts';
import { certificateId, renewalTime, suggestedPeriod, suggestionWait, waitAfterFailure } from './renewal.ts';

export type AcmeOptions = {
  readonly folder: string;
  readonly directory: string;
  readonly domains: readonly string[];
  readonly email?: string | undefined;
  readonly externalAccount?: ExternalAccount | undefined;
  readonly challenge: ChallengeKind;
  readonly host: string;
  readonly zone?: string | undefined;
  /** Serves these challenges and no others. */
  readonly present: (challenges: readonly Challenge[]) => Promise<void>;
  /** Called when a new certificate is in the folder. */
  readonly onCertificate: () => Promise<void>;
  readonly report: (level: 'info' | 'warn', text: string, details: object) => void;
  readonly userAgent: string;
  readonly clock: AcmeClock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Additional trusted certificates. */
  readonly ca?: string | undefined;
};

export type AcmeClock = {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Resolves early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
};

export type AcmeState = Pick<AcmeOptions, 'domains' | 'directory' | 'challenge'> & {
  /** `none`: the authority has not issued a certificate yet. */
  readonly certificate: 'none' | 'valid';
  readonly lastAttemptAt: number | undefined;
  /** Time of the next request or renewal. */
  readonly nextAttemptAt: number;
  readonly lastError: AcmeFailure | undefined;
};

/** Long waits are split, because the clock may be set or the machine suspended. */
const MAX_SLEEP_MS = HOUR_MS;
/** After a restart, the next attempt is earlier than after many failures, but not immediate. */
const RESTART_WAIT_MS = 5 * 60_000;

/** Obtains and renews a certificate. `run` returns when the signal is aborted. */
export async function openAcme(options: AcmeOptions) {
  const { folder, directory, domains, challenge, clock, report, random } = options;
  let progress = await startProgress(options);

  const save = async (changed: Partial<AcmeProgress>): Promise<void> => {
    progress = { ...progress, ...changed };
    await writeProgress(folder, progress);
  };
  const dueAt = (): number =>
    progress.failures > 0 ? (progress.nextAttemptAt ?? 0) : (progress.renewAt ?? clock.now());

  const clientFor = async (request: AcmeRequest) => {
    const accountKey = await readAccountKey(folder);
    const { email, externalAccount } = options;
    const client = createAcmeClient({ directory, accountKey, email, externalAccount, request, now: clock.now });
    return { accountKey, client };
  };
  const requestWith = (signal: AbortSignal): AcmeRequest => createAcmeRequest(signal, options.userAgent, options.ca);

  const obtain = async (signal: AbortSignal): Promise<void> => {
    const { accountKey, client } = await clientFor(requestWith(signal));
    const before = progress.renewAt === undefined ? undefined : await readCertificate(folder);
    const { key, chain } = await obtainCertificate({
      client,
      accountKey,
      domains,
      challenge,
      replaces: before && certificateId(before.toString()),
      present: options.present,
      sleep: (ms) => clock.sleep(ms, signal),
    });
    await writeCertificate(folder, chain, key);
    const life = await lifeOf(folder);
    const obtainedAt = clock.now();
    const renewAt = renewalTime(life, { obtainedAt, suggested: undefined }, random());
    progress = { directory, domains, failures: 0, lastAttemptAt: obtainedAt, obtainedAt, renewAt };
    await save({ suggestionAt: obtainedAt });
    await options.onCertificate();
    report('info', 'a certificate was obtained', { domains, expires: new Date(life.end).toISOString() });
  };

  const failed = async (error: unknown): Promise<void> => {
    const acmeError = error instanceof AcmeError ? error : new AcmeError('internal', messageOf(error));
    const failures = progress.failures + 1;
    const { host, zone } = options;
    const advice = adviceFor(acmeError.type, { challenge, domain: acmeError.domain, host, zone });
    const at = clock.now();
    const nextAttemptAt = at + waitAfterFailure(failures, acmeError.retryAfterMs, random());
    const lastError = {
      at,
      type: acmeError.type,
      text: acmeError.message,
      ...(acmeError.domain !== undefined && { domain: acmeError.domain }),
      ...(advice && { advice }),
    };
    progress = { ...progress, failures, nextAttemptAt, lastError, lastAttemptAt: at };
    report('warn', 'no certificate was obtained', {
      domains,
      domain: acmeError.domain,
      reason: acmeError.message,
      advice: advice && [advice.text, ...advice.records].join(' '),
      next: new Date(nextAttemptAt).toISOString(),
    });
    await writeProgress(folder, progress);
  };

  /** Renewal information is optional, so failures are ignored. */
  const readSuggestion = async (signal: AbortSignal): Promise<void> => {
    let wait = suggestionWait(0);
    try {
      const certificate = await readCertificate(folder);
      const id = certificate && certificateId(certificate.toString());
      const received =
        id === undefined ? undefined : await (await clientFor(requestWith(signal))).client.renewalInfo(id);
      const period = received && suggestedPeriod(received.json);
      if (received) wait = suggestionWait(received.retryAfterMs);
      const suggestion = period && `${period.start} ${period.end}`;
      if (period && suggestion !== undefined && suggestion !== progress.suggestion) {
        const { obtainedAt = 0 } = progress;
        await save({
          suggestion,
          renewAt: renewalTime(await lifeOf(folder), { obtainedAt, suggested: period }, random()),
        });
      }
    } catch (error) {
      report('info', 'the renewal time of the authority cannot be read', { reason: messageOf(error) });
    }
    await save({ suggestionAt: clock.now() + wait });
  };

  const step = async (signal: AbortSignal): Promise<void> => {
    if (progress.renewAt !== undefined && (progress.suggestionAt ?? 0) <= clock.now()) await readSuggestion(signal);
    if (dueAt() > clock.now()) return;
    try {
      await obtain(signal);
    } catch (error) {
      if (!signal.aborted) await failed(error);
    }
  };

  return {
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        try {
          await step(signal);
        } catch (error) {
          // For example, the folder is not writable; the next step retries.
          report('warn', 'the state of the certificate cannot be stored', { reason: messageOf(error) });
        }
        const next = Math.min(dueAt(), progress.suggestionAt ?? Infinity);
        await clock.sleep(Math.min(MAX_SLEEP_MS, Math.max(MIN_SLEEP_MS, next - clock.now())), signal);
      }
    },
    state: (): AcmeState => ({
      domains,
      directory,
      challenge,
      certificate: progress.renewAt === undefined ? 'none' : 'valid',
      lastAttemptAt: progress.lastAttemptAt,
      nextAttemptAt: dueAt(),
      lastError: progress.failures > 0 ? progress.lastError : undefined,
    }),
  };
}

/** Minimum pause, in case every step fails immediately. */
const MIN_SLEEP_MS = 1000;

/** State of an earlier run with the same settings; after a change of settings, it is discarded. */
async function startProgress({ folder, directory, domains, clock }: AcmeOptions): Promise<AcmeProgress> {
  const stored = await readProgress(folder);
  const isSame = stored?.directory === directory && stored.domains.join() === domains.join();
  if (!stored || !isSame) return { directory, domains, failures: 0 };
  const { renewAt, lastAttemptAt = 0, nextAttemptAt = 0, lastError, ...rest } = stored;
  const hasCertificate = renewAt !== undefined && (await readCertificate(folder)) !== undefined;
  const isLimited = lastError?.type === 'rateLimited';
  const soonest = Math.max(clock.now(), lastAttemptAt + RESTART_WAIT_MS);
  return {
    ...rest,
    lastAttemptAt,
    nextAttemptAt: isLimited ? nextAttemptAt : Math.min(nextAttemptAt, soonest),
    ...(lastError && { lastError }),
    ...(hasCertificate && { renewAt }),
  };
}

async function lifeOf(folder: string) {
  const certificate = await readCertificate(folder);
  if (!certificate) throw new Error('the certificate cannot be read');
  return { start: certificate.validFromDate.getTime(), end: certificate.validToDate.getTime() };
}
