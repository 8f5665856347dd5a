import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { DAY_MS } from '../../kit/durations.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Report } from './listener.ts';
import type { CertificateFiles } from './self-signed.ts';
import type { TlsIdentity, TlsMaterial } from './tls-listener.ts';

export type Certificates = TlsIdentity & {
  /** Checks the files now. Invalid files leave the current certificate in use. */
  readonly reload: () => Promise<Result<'changed' | 'same', string>>;
  /** Expiry of the certificate, in epoch milliseconds. */
  readonly expiresAt: () => number;
  readonly stop: () => void;
};

export type CertificateOptions = CertificateFiles & {
  readonly pollMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly report: Report;
};

const POLL_MS = 30_000;
// A warning is logged this many days before expiry; 0 means after it.
const WARN_BEFORE_DAYS = [0, 1, 7, 21];

type Loaded = { readonly material: TlsMaterial; readonly expiresAt: number };

/** Certificate and key from files, reloaded when they change; invalid files leave the current certificate in use. */
export async function openCertificates(options: CertificateOptions): Promise<Result<Certificates, string>> {
  const { report, pollMs = POLL_MS, now = Date.now } = options;
  let lastStamp = await stamp(options);
  const first = await load(options);
  if (!first.ok) return first;
  let loaded = first.value;
  const listeners = new Set<() => void>();
  let toExplainedVerdict = '';

  /** Clients reject an expired certificate, and no other component reports it. Each stage is logged once. */
  const reportExpiry = (): void => {
    const left = loaded.expiresAt - now();
    const days = WARN_BEFORE_DAYS.find((before) => left <= before * DAY_MS);
    const stage = `${loaded.expiresAt} ${days}`;
    if (days === undefined || stage === toExplainedVerdict) return;
    toExplainedVerdict = stage;
    const ends = new Date(loaded.expiresAt).toISOString();
    report(`the TLS certificate ${options.certFile} ${days === 0 ? 'has expired' : 'expires soon'}: ${ends}`);
  };

  const reload = async (): Promise<Result<'changed' | 'same', string>> => {
    const newStamp = await stamp(options);
    // An invalid file is not read again before it changes, so its error is logged once.
    if (newStamp === lastStamp) return ok('same');
    lastStamp = newStamp;
    const next = await load(options);
    if (!next.ok) {
      report(`the old TLS certificate stays in use: ${next.error}`);
      return next;
    }
    loaded = next.value;
    for (const listener of listeners) listener();
    return ok('changed');
  };

  // reload never rejects: errors of the files are in its result.
  const polling = setInterval(() => void reload().then(reportExpiry), pollMs).unref();
  reportExpiry();
  return ok({
    current: () => loaded.material,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reload,
    expiresAt: () => loaded.expiresAt,
    stop: () => clearInterval(polling),
  });
}

/** Identifies the content by inode, modification time and size. Follows symbolic links, which renewal programs use. */
async function stamp({ certFile, keyFile }: CertificateFiles): Promise<string> {
  const one = async (path: string): Promise<string> => {
    try {
      const { ino, mtimeMs, size } = await stat(path);
      return `${ino} ${mtimeMs} ${size}`;
    } catch (error) {
      return `${(error as NodeJS.ErrnoException).code}`;
    }
  };
  return `${await one(certFile)}, ${await one(keyFile)}`;
}

async function load({ certFile, keyFile }: CertificateFiles): Promise<Result<Loaded, string>> {
  try {
    const [cert, key] = [await readFile(certFile), await readFile(keyFile)];
    const certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return err(`${keyFile} is not the key of ${certFile}`);
    // Fails now instead of at the first handshake.
    createSecureContext({ cert, key });
    return ok({ material: { cert, key }, expiresAt: certificate.validToDate.getTime() });
  } catch (error) {
    return err(`${certFile} and ${keyFile} cannot be used: ${(error as Error).message}`);
  }
}
