import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../kit/is-object.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { Advice } from './advice.ts';

/** State that is stored so that a restart does not request a certificate again immediately. Times are epoch milliseconds. */
export type AcmeProgress = {
  readonly directory: string;
  readonly domains: readonly string[];
  /** Undefined without a certificate from this directory for these domains. */
  readonly renewAt?: number;
  readonly obtainedAt?: number;
  /** Next time at which renewal information is read. */
  readonly suggestionAt?: number;
  /** The suggested window in which `renewAt` was chosen. */
  readonly suggestion?: string;
  readonly lastAttemptAt?: number;
  /** Consecutive failures. */
  readonly failures: number;
  readonly nextAttemptAt?: number;
  readonly lastError?: AcmeFailure;
};

export type AcmeFailure = {
  readonly at: number;
  readonly type: string;
  readonly text: string;
  readonly domain?: string;
  readonly advice?: Advice;
};

const ACCOUNT_KEY = 'account.key';
const CERTIFICATE = 'certificate.pem';
const PROGRESS = 'progress.json';

/** Certificate chain and key are in one file, so that both are replaced atomically. */
export const certificateFile = (folder: string): string => join(folder, CERTIFICATE);

export async function readAccountKey(folder: string): Promise<KeyObject> {
  const path = join(folder, ACCOUNT_KEY);
  try {
    return createPrivateKey(await readFile(path));
  } catch (error) {
    // A damaged key is not replaced, because it identifies the account at the authority, and the operator may have a copy.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new Error(`${path} cannot be used`, { cause: error });
  }
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeAtomic(path, privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
  return privateKey;
}

/** Throws if the key is not that of the certificate. */
export async function writeCertificate(folder: string, chain: string, key: string): Promise<void> {
  if (!new X509Certificate(chain).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the certificate is not for the requested key');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeAtomic(certificateFile(folder), `${chain.trimEnd()}\n${key}`);
}

/** The certificate; undefined if it is missing or cannot be used. */
export async function readCertificate(folder: string): Promise<X509Certificate | undefined> {
  try {
    const content = await readFile(certificateFile(folder));
    const certificate = new X509Certificate(content);
    return certificate.checkPrivateKey(createPrivateKey(content)) ? certificate : undefined;
  } catch {
    // A missing or damaged file is ignored, and the certificate is requested again.
    return undefined;
  }
}

export async function readProgress(folder: string): Promise<AcmeProgress | undefined> {
  try {
    const json: unknown = JSON.parse(await readFile(join(folder, PROGRESS), 'utf8'));
    const isUsable = isObject(json) && typeof json['failures'] === 'number' && Array.isArray(json['domains']);
    return isUsable ? (json as AcmeProgress) : undefined;
  } catch {
    // If the state is missing or damaged, the certificate is requested.
    return undefined;
  }
}

export async function writeProgress(folder: string, progress: AcmeProgress): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeAtomic(join(folder, PROGRESS), JSON.stringify(progress));
}
