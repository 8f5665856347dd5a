import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../kit/durations.ts';
import { writeAtomic } from '../../platform/write-atomic.ts';
import { makeSelfSigned } from './make-self-signed.ts';

const RENEW_BEFORE_DAYS = 30;

export type CertificateFiles = { readonly certFile: string; readonly keyFile: string };
export type SelfSignedOptions = {
  readonly folder: string;
  /** Includes the wildcard for devices: `*.d.example.org`. */
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  readonly now: number;
};

/** The certificate and key in this folder; generated if they are missing, expire soon, or have other names. */
export async function ensureSelfSigned(options: SelfSignedOptions): Promise<CertificateFiles & { made: boolean }> {
  const { folder, names, addresses, now } = options;
  const files = { certFile: join(folder, 'self-signed.crt'), keyFile: join(folder, 'self-signed.key') };
  if (await isUsable(files, options)) return { ...files, made: false };
  const { cert, key } = await makeSelfSigned(names, addresses, now);
  await mkdir(folder, { recursive: true });
  await writeAtomic(files.keyFile, key);
  await writeAtomic(files.certFile, cert);
  return { ...files, made: true };
}

async function isUsable({ certFile, keyFile }: CertificateFiles, options: SelfSignedOptions): Promise<boolean> {
  try {
    const certificate = new X509Certificate(await readFile(certFile));
    const isWhole = certificate.checkPrivateKey(createPrivateKey(await readFile(keyFile)));
    const isLasting = certificate.validToDate.getTime() > options.now + RENEW_BEFORE_DAYS * DAY_MS;
    const listed = certificate.subjectAltName?.split(', ') ?? [];
    const hasNames = options.names.every((name) => listed.includes(`DNS:${name}`));
    const hasAddresses = options.addresses.every((address) => certificate.checkIP(address) !== undefined);
    return isWhole && isLasting && hasNames && hasAddresses;
  } catch {
    // Any error is handled by creating a new pair.
    return false;
  }
}
