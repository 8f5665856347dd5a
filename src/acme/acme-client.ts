import type { KeyObject } from 'node:crypto';
import { isObject } from '../kit/is-object.ts';
import { AcmeError, problemError } from './acme-error.ts';
import type { AcmeRequest, AcmeResponse } from './acme-request.ts';
import { type ExternalAccount, externalAccountBinding, publicJwk, signedBody } from './jws.ts';
import { retryAfterMs } from './retry-after.ts';

type Json = Readonly<Record<string, unknown>>;

export type ClientOptions = {
  readonly directory: string;
  readonly accountKey: KeyObject;
  readonly email: string | undefined;
  readonly externalAccount: ExternalAccount | undefined;
  readonly request: AcmeRequest;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

export type Received = {
  readonly url: string;
  readonly json: Json;
  readonly text: string;
  readonly retryAfterMs: number;
};

const MAX_NONCE_TRIES = 6;

export type AcmeClient = ReturnType<typeof createAcmeClient>;

/** The requests of RFC 8555. Directory, nonce and account are fetched on first use. */
export function createAcmeClient(options: ClientOptions) {
  const { request, accountKey, now } = options;
  let directory: Json | undefined;
  let account: string | undefined;
  let nonce: string | undefined;

  const resource = async (name: string): Promise<string> => {
    directory ??= jsonOf(checked(await request(options.directory)));
    return text(directory, name);
  };

  const takeNonce = async (): Promise<string> => {
    const taken = nonce ?? headerOf(await request(await resource('newNonce'), { method: 'HEAD' }), 'replay-nonce');
    nonce = undefined;
    if (taken === undefined) throw new AcmeError('malformed response', 'the response of the authority has no nonce');
    return taken;
  };

  const checked = (response: AcmeResponse): AcmeResponse => {
    if (response.status < 300) return response;
    throw problemError(parsed(response.body), response.status, retryAfterMs(headerOf(response, 'retry-after'), now()));
  };

  /** A nonce may have expired. The error response then contains a new one (RFC 8555, 6.5). */
  const post = async (url: string, payload: Json | '', tries = MAX_NONCE_TRIES): Promise<AcmeResponse> => {
    const signer = account === undefined ? { jwk: publicJwk(accountKey) } : { kid: account };
    const body = signedBody(accountKey, { nonce: await takeNonce(), url, ...signer }, payload);
    const response = await request(url, { method: 'POST', body });
    nonce = headerOf(response, 'replay-nonce');
    try {
      return checked(response);
    } catch (error) {
      if (!(error instanceof AcmeError) || error.type !== 'badNonce' || tries === 1) throw error;
      return post(url, payload, tries - 1);
    }
  };

  /** The account of the key; created if it does not exist. */
  const signIn = async (): Promise<void> => {
    if (account !== undefined) return;
    const url = await resource('newAccount');
    const { email, externalAccount } = options;
    const response = await post(url, {
      termsOfServiceAgreed: true,
      ...(email !== undefined && { contact: [`mailto:${email}`] }),
      ...(externalAccount && { externalAccountBinding: externalAccountBinding(accountKey, externalAccount, url) }),
    });
    account = required(headerOf(response, 'location'), 'URL of the account');
  };

  const receive = async (url: string, payload: Json | ''): Promise<Received> => {
    await signIn();
    const response = await post(url, payload);
    const isJson = headerOf(response, 'content-type')?.includes('json') ?? false;
    return {
      url: headerOf(response, 'location') ?? url,
      json: isJson ? jsonOf(response) : {},
      text: response.body,
      retryAfterMs: retryAfterMs(headerOf(response, 'retry-after'), now()) ?? 0,
    };
  };

  return {
    read: (url: string): Promise<Received> => receive(url, ''),
    post: receive,
    async newOrder(domains: readonly string[], replaces: string | undefined): Promise<Received> {
      const identifiers = domains.map((value) => ({ type: 'dns', value }));
      const url = await resource('newOrder');
      const supportsRenewalInfo = directory?.['renewalInfo'] !== undefined;
      try {
        return await receive(url, { identifiers, ...(supportsRenewalInfo && replaces !== undefined && { replaces }) });
      } catch (error) {
        // Ignored: the certificate was replaced already, or was issued by another authority (RFC 9773, 5).
        const isRefused = error instanceof AcmeError && ['alreadyReplaced', 'malformed'].includes(error.type);
        if (!isRefused || !supportsRenewalInfo || replaces === undefined) throw error;
        return receive(url, { identifiers });
      }
    },
    /** The suggested renewal window (RFC 9773); undefined if the authority does not suggest one. */
    async renewalInfo(certificateId: string): Promise<Received | undefined> {
      directory ??= jsonOf(checked(await request(options.directory)));
      const base = directory['renewalInfo'];
      if (typeof base !== 'string') return undefined;
      const url = `${base.replace(/\/$/, '')}/${certificateId}`;
      const response = checked(await request(url));
      const wait = retryAfterMs(headerOf(response, 'retry-after'), now()) ?? 0;
      return { url, json: jsonOf(response), text: response.body, retryAfterMs: wait };
    },
  };
}

const headerOf = ({ headers }: AcmeResponse, name: string): string | undefined => [headers[name]].flat()[0];

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function jsonOf({ body }: AcmeResponse): Json {
  const json = parsed(body);
  if (!isObject(json)) throw new AcmeError('malformed response', 'the response of the authority is not JSON');
  return json;
}

const required = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new AcmeError('malformed response', `the response of the authority has no ${what}`);
  return value;
};

/** A member that must be a string. */
export function text(json: Json, member: string): string {
  const value = json[member];
  return required(typeof value === 'string' ? value : undefined, member);
}
