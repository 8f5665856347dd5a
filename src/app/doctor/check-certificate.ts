import { readFile } from 'node:fs/promises';
import { DAY_MS } from '../../kit/durations.ts';
import { readChain } from '../../ocsp/certificate-chain.ts';
import { readStored, responseFolder } from '../../ocsp/response-files.ts';
import { openCertificates } from '../../resolver/transport/certificates.ts';
import type { Settings } from '../../settings/settings.ts';
import { type Finding, fine, problem, warning } from './finding.ts';

const SOON_DAYS = 14;

/** The certificates of DNS over TLS and HTTPS, and whether they are valid for the name that devices use. */
export async function checkCertificate(settings: Settings, now: number): Promise<readonly Finding[]> {
  if (settings.dot === 'off' && settings.doh === 'off') return [];
  const files = settings.certificate.map((certFile, nth) => ({ certFile, keyFile: settings.certificateKey[nth]! }));
  if (files.length === 0)
    return [
      warning(
        'certificate',
        'no certificate is set: DNS over TLS and HTTPS use a self-signed one, which phones and browsers reject',
        'Set certificate and certificate-key, or acme; plain DNS in the local network needs none.',
      ),
    ];
  const opened = await openCertificates({ files, report: () => undefined });
  if (!opened.ok) return [problem('certificate', opened.error, 'Correct certificate and certificate-key.')];
  const certificates = opened.value.state();
  opened.value.stop();
  const stapling = await Promise.all(files.map(({ certFile }) => checkStaple(certFile, settings.data, now)));
  const validity = certificates.map(({ file, domains, expiresAt }) => {
    const days = Math.floor((expiresAt - now) / DAY_MS);
    const text = `${file} for ${domains.join(', ')}`;
    if (days < 0)
      return problem('certificate', `${text} has expired`, 'Renew it; the files are read again without a restart.');
    if (days < SOON_DAYS) return warning('certificate', `${text} expires in ${days} days`, 'Renew it.');
    const host = settings.dnsHost.split(':', 1)[0]!;
    return host === 'localhost' || domains.some((domain) => covers(domain, host))
      ? fine('certificate', `${text}, valid for ${days} days`)
      : problem('certificate', `${text} is not valid for ${host}`, 'Get a certificate for the name in dns-host.');
  });
  return [...validity, ...stapling.flat()];
}

/** A certificate that requires a stapled OCSP response, without one. */
async function checkStaple(file: string, data: string, now: number): Promise<readonly Finding[]> {
  const { certificate, issuer, responder, isStapleRequired } = readChain(await readFile(file, 'utf8'));
  if (!isStapleRequired) return [];
  const stored = issuer && (await readStored(responseFolder(data), { certificate, issuer }, now));
  if (stored) return [fine('certificate', `${file} requires OCSP stapling, and a response is stored`)];
  const reason = !issuer
    ? 'the file does not have the certificate of the issuer'
    : responder === undefined
      ? 'the certificate has no responder'
      : 'the service has received none';
  return [
    warning(
      'certificate',
      `${file} requires a stapled OCSP response, which is missing: ${reason}`,
      'Clients may refuse it. See the log of the service, or get a certificate without "must staple".',
    ),
  ];
}

export const covers = (domain: string, host: string): boolean =>
  domain === host || (domain.startsWith('*.') && host.slice(host.indexOf('.')) === domain.slice(1));
