import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { DAY_MS } from '../../kit/durations.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Report } from './listener.ts';
import type { CertificateFiles } from './self-signed.ts';
import { schemesOf, type TlsPair } from './staples.ts';
import type { TlsIdentity, TlsMaterial } from './tls-listener.ts';

export type Certificates = Required<TlsIdentity> & {
  /** Reads the files now. If they are invalid, the current certificates stay in use. */
  readonly reload: () => Promise<Result<'changed' | 'same', string>>;
  readonly state: () => readonly CertificateState[];
  readonly stop: () => void;
};

export type CertificateOptions = {
  /** At least one pair; their keys have different types. */
  readonly files: readonly CertificateFiles[];
  readonly pollMs?: number;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly report: Report;
};

export type CertificateState = {
  readonly file: string;
  readonly fingerprint: string;
  readonly domains: readonly string[];
  readonly issuer: string;
  readonly keyType: string;
  /** Epoch milliseconds. */
  readonly startsAt: number;
  readonly expiresAt: number;
  readonly isSelfSigned: boolean;
};

const POLL_MS = 30_000;
// Days before expiry at which a warning is logged; 0: after expiry.
const WARN_BEFORE_DAYS = [0, 1, 7, 21];

type Loaded = {
  readonly material: TlsMaterial;
  readonly pairs: readonly TlsPair[];
  readonly certificates: readonly CertificateState[];
};

/** Certificates and keys from files, reloaded when they change; invalid files leave the current certificates in use. */
export async function openCertificates(options: CertificateOptions): Promise<Result<Certificates, string>> {
  const { files, report, pollMs = POLL_MS, now = Date.now } = options;
  let lastStamp = await stamp(files);
  const first = await load(files);
  if (!first.ok) return first;
  let loaded = first.value;
  const listeners = new Set<() => void>();
  const reported = new Map<string, string>();

  /** Logs each stage once: clients reject an expired certificate, and no other component reports it. */
  const reportExpiry = (): void => {
    for (const { file, expiresAt } of loaded.certificates) {
      const days = WARN_BEFORE_DAYS.find((before) => expiresAt - now() <= before * DAY_MS);
      const stage = `${expiresAt} ${days}`;
      if (days === undefined || stage === reported.get(file)) continue;
      reported.set(file, stage);
      const ends = new Date(expiresAt).toISOString();
      report(`the TLS certificate ${file} ${days === 0 ? 'has expired' : 'expires soon'}: ${ends}`);
    }
  };

  const reload = async (): Promise<Result<'changed' | 'same', string>> => {
    const newStamp = await stamp(files);
    // An invalid file is not read again before it changes, so its error is logged once.
    if (newStamp === lastStamp) return ok('same');
    lastStamp = newStamp;
    const next = await load(files);
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
    pairs: () => loaded.pairs,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reload,
    state: () => loaded.certificates,
    stop: () => clearInterval(polling),
  });
}

/** Detects changes by inode, modification time and size. Follows symbolic links, which ACME clients use. */
async function stamp(files: readonly CertificateFiles[]): Promise<string> {
  const one = async (path: string): Promise<string> => {
    try {
      const { ino, mtimeMs, size } = await stat(path);
      return `${ino} ${mtimeMs} ${size}`;
    } catch (error) {
      return `${(error as NodeJS.ErrnoException).code}`;
    }
  };
  return (await Promise.all(files.flatMap(({ certFile, keyFile }) => [one(certFile), one(keyFile)]))).join();
}

async function load(files: readonly CertificateFiles[]): Promise<Result<Loaded, string>> {
  const pairs = [];
  for (const pairFiles of files) {
    const pair = await loadPair(pairFiles);
    if (!pair.ok) return pair;
    pairs.push(pair.value);
  }
  const types = pairs.map(({ type }) => type);
  if (new Set(types).size < types.length)
    return err(`two certificates have keys of the same type (${types.join(', ')}): only one of each type can be used`);
  const material = { cert: pairs.map(({ cert }) => cert), key: pairs.map(({ key }) => key) };
  try {
    // Throws here instead of at the first handshake.
    createSecureContext(material);
  } catch (error) {
    return err(`the certificates cannot be used: ${(error as Error).message}`);
  }
  return ok({ material, pairs: pairs.map(({ pair }) => pair), certificates: pairs.map(({ state }) => state) });
}

async function loadPair({ certFile, keyFile }: CertificateFiles) {
  try {
    const [cert, key] = [await readFile(certFile), await readFile(keyFile)];
    const certificate = new X509Certificate(cert);
    const privateKey = createPrivateKey(key);
    if (!certificate.checkPrivateKey(privateKey)) return err(`${keyFile} is not the key of ${certFile}`);
    createSecureContext({ cert, key });
    const type = privateKey.asymmetricKeyType ?? '';
    const pair = { cert, key, fingerprint: certificate.fingerprint256, schemes: schemesOf(privateKey) };
    return ok({ cert, key, type, pair, state: describeCertificate(certificate, certFile, type) });
  } catch (error) {
    return err(`${certFile} and ${keyFile} cannot be used: ${(error as Error).message}`);
  }
}

const keyTypes: Readonly<Record<string, string>> = { ec: 'ECDSA', rsa: 'RSA', ed25519: 'Ed25519' };

/** Names and validity of a certificate, for the system status. */
const describeCertificate = (certificate: X509Certificate, file: string, type: string): CertificateState => ({
  file,
  fingerprint: certificate.fingerprint256,
  domains: [...(certificate.subjectAltName ?? '').matchAll(/DNS:([^,\s]+)/g)].map(([, name]) => name!),
  issuer: issuerName(certificate.issuer),
  keyType: keyTypes[type] ?? type,
  startsAt: certificate.validFromDate.getTime(),
  expiresAt: certificate.validToDate.getTime(),
  // Not `checkIssued`, which requires a key usage that server certificates do not have.
  isSelfSigned: certificate.verify(certificate.publicKey),
});

/** The organisation and the common name: `Let's Encrypt, E7`. */
const issuerName = (issuer: string): string =>
  ['O', 'CN'].flatMap((key) => new RegExp(`^${key}=(.*)$`, 'm').exec(issuer)?.[1] ?? []).join(', ');
