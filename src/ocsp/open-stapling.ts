import { readFile } from 'node:fs/promises';
import { HOUR_MS, MINUTE_MS } from '../kit/durations.ts';
import { messageOf } from '../kit/message-of.ts';
import { type ChainStart, readChain } from './certificate-chain.ts';
import { type Issued, type OcspResponse, readResponse, requestUrl } from './read-response.ts';
import { readStored, removeStored, type StoredResponse, writeStored } from './response-files.ts';

/** A response for the certificate with this fingerprint, valid until `endsAt` (epoch milliseconds). */
type Staple = { readonly fingerprint: string; readonly response: Uint8Array; readonly endsAt: number };

type StaplingOptions = {
  readonly folder: string;
  /** Files with a certificate and its chain. */
  readonly files: readonly string[];
  readonly download: (url: string, signal: AbortSignal) => Promise<Uint8Array>;
  /** Replaces the responses that are stapled. */
  readonly use: (staples: readonly Staple[]) => Promise<void>;
  readonly report: (level: 'info' | 'warn' | 'error', text: string, details: object) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export type OcspState = {
  /** Fingerprint of the certificate. */
  readonly fingerprint: string;
  readonly isRequired: boolean;
  readonly status: 'stapled' | 'missing' | 'revoked';
  readonly endsAt: number | undefined;
  /** Undefined if the certificate has no usable responder. */
  readonly nextAttemptAt: number | undefined;
  readonly problem: string | undefined;
};

type Watched = {
  readonly file: string;
  readonly pem: string;
  readonly chain: ChainStart;
  /** Undefined if the status cannot be requested. */
  readonly issued: Issued | undefined;
  stored: StoredResponse | undefined;
  isRevoked: boolean;
  failures: number;
  dueAt: number;
  problem: string | undefined;
  /** The last logged state; each state is logged once. */
  reported: string;
};

const POLL_MS = 30_000;
const FIRST_WAIT_MS = 5 * MINUTE_MS;

/** Half of the lifetime. A response that was issued long ago is renewed later, because the next request would return the same. */
const renewalTime = ({ startsAt, endsAt }: OcspResponse, now: number): number =>
  Math.max((startsAt + endsAt) / 2, now + Math.max(MINUTE_MS, Math.min(HOUR_MS, (endsAt - now) / 2)));

const waitAfterFailure = (failures: number): number =>
  Math.min(HOUR_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 9));

/** Requests and renews OCSP responses for certificates with a responder. Does nothing before `start`. */
export function openStapling({ folder, files, download, use, report, now }: StaplingOptions) {
  const watched = new Map<string, Watched>();
  const requests = { good: 0, revoked: 0, failed: 0 };
  const stopping = new AbortController();

  const isStapled = ({ stored }: Watched): boolean => stored !== undefined && stored.endsAt > now();

  const failed = (entry: Watched, problem: string): void => {
    entry.problem = problem;
    entry.failures++;
    entry.dueAt = now() + waitAfterFailure(entry.failures);
    reportProblem(entry);
  };

  const reportProblem = (entry: Watched): void => {
    const { file, problem: reason, chain, isRevoked } = entry;
    const isMissing = chain.isStapleRequired && !isStapled(entry);
    const text = isRevoked
      ? 'the authority has revoked the certificate: replace it'
      : isMissing
        ? 'the certificate requires a stapled OCSP response, which is missing: clients may refuse it'
        : 'no OCSP response was received';
    const state = `${text} ${reason}`;
    if (state === entry.reported) return;
    entry.reported = state;
    report(isRevoked ? 'error' : 'warn', text, { file, reason });
  };

  /** Starts with the stored response, which may be due already. */
  const begin = async (file: string, pem: string): Promise<Watched> => {
    const chain = readChain(pem);
    const { certificate, issuer, responder } = chain;
    const issued = issuer && responder !== undefined ? { certificate, issuer } : undefined;
    const stored = issued && (await readStored(folder, issued, now()));
    const dueAt = !issued ? Infinity : stored ? (stored.startsAt + stored.endsAt) / 2 : 0;
    const hasProblem = !issued && (responder !== undefined || chain.isStapleRequired);
    const problem = !hasProblem
      ? undefined
      : responder === undefined
        ? 'the certificate has no OCSP responder'
        : 'the file does not have the certificate of the issuer';
    const entry = { file, pem, chain, issued, stored, isRevoked: false, failures: 0, dueAt, problem, reported: '' };
    if (problem !== undefined) reportProblem(entry);
    return entry;
  };

  const request = async (entry: Watched, issued: Issued): Promise<void> => {
    const bytes = await download(await requestUrl(entry.chain.responder!, issued), stopping.signal);
    const read = await readResponse(bytes, issued, now());
    if (!read.ok) throw new Error(read.error);
    const { status, endsAt } = read.value;
    requests[status]++;
    entry.isRevoked = status === 'revoked';
    if (entry.isRevoked) {
      entry.stored = undefined;
      failed(entry, 'the certificate is revoked');
      await removeStored(folder, issued);
      return;
    }
    entry.stored = { ...read.value, bytes };
    entry.failures = 0;
    entry.problem = undefined;
    entry.reported = '';
    entry.dueAt = renewalTime(read.value, now());
    report('info', 'an OCSP response was received', { file: entry.file, expires: new Date(endsAt).toISOString() });
    const inUse = Array.from(watched.values(), (each) => each.issued).filter((each) => each !== undefined);
    await writeStored(folder, issued, bytes, inUse);
  };

  const renew = async (entry: Watched, issued: Issued): Promise<void> => {
    try {
      await request(entry, issued);
    } catch (error) {
      if (stopping.signal.aborted) return;
      requests.failed++;
      failed(entry, messageOf(error));
    }
  };

  const stapled = (): readonly Staple[] =>
    Array.from(watched.values()).flatMap(({ chain, stored }) =>
      stored ? [{ fingerprint: chain.certificate.fingerprint256, response: stored.bytes, endsAt: stored.endsAt }] : [],
    );

  /** True if the file has another certificate than before. */
  const readAgain = async (file: string): Promise<boolean> => {
    const pem = await readFile(file, 'utf8');
    if (watched.get(file)?.pem === pem) return false;
    watched.set(file, await begin(file, pem));
    return true;
  };

  const step = async (): Promise<void> => {
    let isChanged = false;
    for (const file of files) {
      // The listeners report unreadable files and continue with the previous certificate, as here.
      isChanged = (await readAgain(file).catch(() => false)) || isChanged;
    }
    if (isChanged) await use(stapled());
    for (const entry of watched.values()) {
      if (!entry.issued || entry.dueAt > now() || stopping.signal.aborted) continue;
      await renew(entry, entry.issued);
      await use(stapled());
    }
  };

  let work: Promise<void> = Promise.resolve();
  let isQueued = false;
  const check = (): Promise<void> => {
    if (isQueued) return work;
    isQueued = true;
    work = work.then(async () => {
      isQueued = false;
      try {
        await step();
      } catch (error) {
        if (!stopping.signal.aborted) report('warn', 'OCSP responses cannot be used', { reason: messageOf(error) });
      }
    });
    return work;
  };

  let polling: NodeJS.Timeout | undefined;
  return {
    /** Checks files and responses now and from now on. */
    start: (): void => {
      if (files.length === 0) return;
      polling = setInterval(() => void check(), POLL_MS).unref();
      void check();
    },
    check,
    /** Status of the certificates that have a responder or require a response. */
    state: (): readonly OcspState[] =>
      Array.from(watched.values())
        .filter(({ chain }) => chain.responder !== undefined || chain.isStapleRequired)
        .map((entry) => ({
          fingerprint: entry.chain.certificate.fingerprint256,
          isRequired: entry.chain.isStapleRequired,
          status: entry.isRevoked ? 'revoked' : isStapled(entry) ? 'stapled' : 'missing',
          endsAt: entry.stored?.endsAt,
          nextAttemptAt: entry.issued && entry.dueAt,
          problem: entry.problem,
        })),
    /** Requests since the start, by outcome. */
    requests: (): Readonly<Record<string, number>> => ({ ...requests }),
    stop: async (): Promise<void> => {
      clearInterval(polling);
      stopping.abort();
      await work;
    },
  };
}

export type Stapling = ReturnType<typeof openStapling>;
