import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Tell } from './listener.ts';
import type { CertificateFiles } from './self-signed.ts';
import type { TlsIdentity, TlsMaterial } from './tls-listener.ts';

export type Certificates = TlsIdentity & {
  /** Looks at the files now. What cannot be used changes nothing. */
  readonly reload: () => Promise<Result<'changed' | 'same', string>>;
  /** When the certificate ends, in milliseconds since 1970. */
  readonly expiresAt: () => number;
  readonly stop: () => void;
};

export type CertificateOptions = CertificateFiles & {
  readonly pollMs?: number;
  /** In milliseconds since 1970. */
  readonly now?: () => number;
  readonly tell: Tell;
};

const POLL_MS = 30_000;
const DAY_MS = 86_400_000;
// So many days before its end a certificate is told of, and again when it has ended.
const TELL_BEFORE_DAYS = [0, 1, 7, 21];

type Loaded = { readonly material: TlsMaterial; readonly expiresAt: number };

/** Certificate and key from files, read again when they change; files that cannot be used keep what was there. */
export async function openCertificates(options: CertificateOptions): Promise<Result<Certificates, string>> {
  const { tell, pollMs = POLL_MS, now = Date.now } = options;
  let seen = await stamp(options);
  const first = await load(options);
  if (!first.ok) return first;
  let loaded = first.value;
  const listeners = new Set<() => void>();
  let toldOf = '';

  /** Clients turn away from a certificate that has ended, and nobody else would say so. Each stage is told once. */
  const tellOfEnd = (): void => {
    const left = loaded.expiresAt - now();
    const days = TELL_BEFORE_DAYS.find((before) => left <= before * DAY_MS);
    const stage = `${loaded.expiresAt} ${days}`;
    if (days === undefined || stage === toldOf) return;
    toldOf = stage;
    const ends = new Date(loaded.expiresAt).toISOString();
    tell(`the TLS certificate ${options.certFile} ${days === 0 ? 'has ended' : 'ends soon'}: ${ends}`);
  };

  const reload = async (): Promise<Result<'changed' | 'same', string>> => {
    const found = await stamp(options);
    // A file that was found wanting is not looked at again before it changes, so it is told once.
    if (found === seen) return ok('same');
    seen = found;
    const next = await load(options);
    if (!next.ok) {
      tell(`the old TLS certificate stays in use: ${next.error}`);
      return next;
    }
    loaded = next.value;
    for (const listener of listeners) listener();
    return ok('changed');
  };

  // reload never rejects: whatever is wrong with the files is its result.
  const polling = setInterval(() => void reload().then(tellOfEnd), pollMs).unref();
  tellOfEnd();
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

/** Another file, another time or another size is another content. Follows links, as renewal programs use them. */
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
    // What OpenSSL would refuse at the first handshake, it refuses here.
    createSecureContext({ cert, key });
    return ok({ material: { cert, key }, expiresAt: certificate.validToDate.getTime() });
  } catch (error) {
    return err(`${certFile} and ${keyFile} cannot be used: ${(error as Error).message}`);
  }
}
