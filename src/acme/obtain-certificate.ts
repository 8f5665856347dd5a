import type { KeyObject } from 'node:crypto';
import { isObject } from '../kit/is-object.ts';
import { type AcmeClient, type Received, text } from './acme-client.ts';
import { AcmeError, problemError } from './acme-error.ts';
import { makeCertificateRequest } from './certificate-request.ts';
import { type Challenge, type ChallengeKind, newChallenge } from './challenge.ts';
import { base64url } from './jws.ts';

type Json = Readonly<Record<string, unknown>>;

export type Obtain = {
  readonly client: AcmeClient;
  readonly accountKey: KeyObject;
  readonly domains: readonly string[];
  readonly challenge: ChallengeKind;
  /** Identifies the certificate that the new one replaces. */
  readonly replaces: string | undefined;
  /** Serves these challenges and no others. */
  readonly present: (challenges: readonly Challenge[]) => Promise<void>;
  readonly sleep: (ms: number) => Promise<void>;
};

const POLL_MS = 1000;
const MAX_POLL_MS = 10_000;
const MAX_POLLS = 30;

/** Processes one order, from its creation to the certificate (RFC 8555, 7.4). Throws an AcmeError. */
export async function obtainCertificate(options: Obtain): Promise<{ readonly key: string; readonly chain: string }> {
  const { client, domains, present } = options;
  const order = await client.newOrder(domains, options.replaces);
  const pending = await readPending(options, texts(order.json['authorizations']));
  try {
    await present(pending.map(({ challenge }) => challenge));
    for (const { url } of pending) await client.post(url, {});
    for (const { authorization } of pending) await untilDone(options, authorization, 'valid');
  } finally {
    await present([]);
  }
  await untilDone(options, order.url, 'ready');
  const { key, request } = await makeCertificateRequest(domains);
  await client.post(text(order.json, 'finalize'), { csr: base64url(request) });
  const { json } = await untilDone(options, order.url, 'valid');
  const { text: chain } = await client.read(text(json, 'certificate'));
  if (!chain.startsWith('-----BEGIN CERTIFICATE-----'))
    throw new AcmeError('malformed response', 'the response of the authority is not a certificate');
  return { key, chain };
}

type Pending = { readonly authorization: string; readonly url: string; readonly challenge: Challenge };

/** Authorizations may be valid already, from an earlier order. */
async function readPending(options: Obtain, authorizations: readonly string[]): Promise<readonly Pending[]> {
  const pending: Pending[] = [];
  for (const authorization of authorizations) {
    const { json } = await options.client.read(authorization);
    if (json['status'] === 'valid') continue;
    const identifier = json['identifier'];
    const domain = isObject(identifier) ? text(identifier, 'value') : '';
    const offered = objects(json['challenges']).find(({ type }) => type === options.challenge);
    if (!offered)
      throw new AcmeError('no such challenge', `the authority does not offer ${options.challenge}`, { domain });
    const challenge = newChallenge(
      { kind: options.challenge, domain, token: text(offered, 'token') },
      options.accountKey,
    );
    pending.push({ authorization, url: text(offered, 'url'), challenge });
  }
  return pending;
}

const final = new Set(['valid', 'ready', 'invalid', 'expired', 'revoked', 'deactivated']);

/** Waits until an authorization or order has the status; throws its problem if it fails. */
async function untilDone({ client, sleep }: Obtain, url: string, wanted: 'valid' | 'ready'): Promise<Received> {
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const received = await client.read(url);
    const { status } = received.json;
    // An order may already be valid when it is polled for "ready".
    if (status === wanted || (wanted === 'ready' && status === 'valid')) return received;
    if (typeof status === 'string' && final.has(status) && status !== 'ready') throw problemOf(received.json, status);
    await sleep(Math.min(MAX_POLL_MS, Math.max(received.retryAfterMs, POLL_MS)));
  }
  throw new AcmeError('timeout', 'the authority did not finish in time');
}

function problemOf(json: Json, status: string): AcmeError {
  const identifier = json['identifier'];
  const failed = objects(json['challenges']).find(({ error }) => error !== undefined)?.['error'] ?? json['error'];
  const error = problemError(failed ?? { detail: `the authority reports the status "${status}"` }, 0);
  const domain = error.domain ?? (isObject(identifier) ? text(identifier, 'value') : undefined);
  return new AcmeError(error.type, error.message, { domain });
}

const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((member) => typeof member === 'string') : [];
