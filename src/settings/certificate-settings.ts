import {
  acmeDirectory,
  certificateDomains,
  choice,
  email,
  file,
  fileOrFiles,
  listen,
  type Setting,
  text,
  zone,
} from './setting-kinds.ts';

/** Settings of the TLS certificates. */
export const certificateSettings = {
  certificate: {
    name: 'certificate',
    kind: fileOrFiles(),
    default: '',
    section: 'Certificates',
    help: 'certificate chains (PEM) for DNS over TLS and HTTPS, reloaded when they change: one, or one with an ECDSA and one with an RSA key; default: a self-signed test certificate',
  },
  certificateKey: {
    name: 'certificate-key',
    kind: fileOrFiles(),
    default: '',
    section: 'Certificates',
    help: 'private keys (PEM) of the certificates, in the same order',
  },
  acmeDomains: {
    name: 'acme-domains',
    kind: certificateDomains(),
    default: '',
    section: 'Certificates',
    help: 'domains of a certificate that is requested and renewed with ACME, as dns.example.org or *.d.example.org; setting it means agreement with the terms of the authority',
  },
  acmeEmail: {
    name: 'acme-email',
    kind: email(),
    section: 'Certificates',
    help: 'e-mail address for messages of the certificate authority',
  },
  acmeDirectory: {
    name: 'acme-directory',
    kind: acmeDirectory(),
    default: 'letsencrypt',
    section: 'Certificates',
    help: 'certificate authority: Let’s Encrypt, its staging environment for experiments, or the directory URL of another one',
  },
  acmeChallenge: {
    name: 'acme-challenge',
    kind: choice('tls-alpn-01', 'http-01', 'dns-01'),
    default: 'tls-alpn-01',
    section: 'Certificates',
    help: 'proof of control over the domains: on port 443 (doh), on port 80 (acme-http), or by DNS; wildcard domains need dns-01',
  },
  acmeHttp: {
    name: 'acme-http',
    kind: listen(),
    default: ':80',
    section: 'Certificates',
    help: 'address for http-01 challenges; the same port as http if that listens on all addresses',
  },
  acmeDnsZone: {
    name: 'acme-dns-zone',
    kind: zone(),
    section: 'Certificates',
    help: 'zone delegated to this server to which CNAME records of dns-01 challenges point; default: the names _acme-challenge.DOMAIN are delegated themselves',
  },
  acmeEabKeyId: {
    name: 'acme-eab-key-id',
    kind: text(200),
    section: 'Certificates',
    help: 'key id of an account with the authority (external account binding)',
  },
  acmeEabKey: {
    name: 'acme-eab-key',
    kind: file(),
    section: 'Certificates',
    help: 'file with the key of that account, in base64url',
  },
} as const satisfies Readonly<Record<string, Setting>>;
