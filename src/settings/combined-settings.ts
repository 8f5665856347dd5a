import { PRIVATE_ADDRESSES } from './setting-kinds.ts';
import type { Settings } from './settings-table.ts';

/** Problems of settings that conflict with each other. */
export const combinedProblems = (settings: Settings): readonly string[] =>
  rules.filter(({ isBroken }) => isBroken(settings)).map(({ problem }) => problem);

const usesAcme = ({ acmeDomains }: Settings): boolean => acmeDomains.length > 0;

const rules: readonly { readonly problem: string; readonly isBroken: (settings: Settings) => boolean }[] = [
  {
    problem: 'certificate and certificate-key: each certificate needs its key, in the same order',
    isBroken: ({ certificate, certificateKey }) => certificate.length !== certificateKey.length,
  },
  {
    problem: 'https-redirect: "on" needs HTTPS: doh and web-on-doh must not be off',
    isBroken: ({ httpsRedirect, webOnDoh, doh }) => httpsRedirect === 'on' && (webOnDoh === 'off' || doh === 'off'),
  },
  {
    problem: 'acme-domains and certificate: only one of them can be set',
    isBroken: (settings) => usesAcme(settings) && settings.certificate.length > 0,
  },
  {
    problem: 'acme-domains: dot and doh are off, so that no certificate is needed',
    isBroken: (settings) => usesAcme(settings) && settings.dot === 'off' && settings.doh === 'off',
  },
  {
    problem: 'acme-domains: a domain with * needs acme-challenge dns-01',
    isBroken: ({ acmeDomains, acmeChallenge }) =>
      acmeChallenge !== 'dns-01' && acmeDomains.some((domain) => domain.startsWith('*')),
  },
  {
    problem: 'acme-challenge: dns-01 needs plain DNS, which is off (dns)',
    isBroken: (settings) => usesAcme(settings) && settings.acmeChallenge === 'dns-01' && settings.dns === 'off',
  },
  {
    problem: 'acme-challenge: tls-alpn-01 needs the listener on port 443, which is off (doh)',
    isBroken: (settings) => usesAcme(settings) && settings.acmeChallenge === 'tls-alpn-01' && settings.doh === 'off',
  },
  {
    problem:
      'acme-http: the authority cannot reach private addresses; set http to all addresses (:80) or to another port',
    isBroken: (settings) => {
      const { acmeChallenge, acmeHttp, http, role } = settings;
      const isShared =
        role !== 'dns' && http.host === PRIVATE_ADDRESSES && http.port === acmeHttp.port && http.port !== 0;
      return usesAcme(settings) && acmeChallenge === 'http-01' && isShared;
    },
  },
  {
    problem: 'acme-eab-key-id and acme-eab-key: both are needed',
    isBroken: ({ acmeEabKeyId, acmeEabKey }) => (acmeEabKeyId === undefined) !== (acmeEabKey === undefined),
  },
];
