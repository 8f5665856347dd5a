import type { Settings } from './settings-table.ts';

/** Problems of settings that do not fit together. */
export function combinedProblems(settings: Settings): readonly string[] {
  const { certificate, certificateKey, httpsRedirect, webOnDoh, doh } = settings;
  const problems: string[] = [];
  if (certificate.length !== certificateKey.length)
    problems.push('certificate and certificate-key: each certificate needs its key, in the same order');
  if (httpsRedirect === 'on' && (webOnDoh === 'off' || doh === 'off'))
    problems.push('https-redirect: "on" needs HTTPS: doh and web-on-doh must not be off');
  return problems;
}
