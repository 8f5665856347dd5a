import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

type Certificate = { readonly key: string; readonly cert: string };
export type Authority = {
  readonly cert: string;
  /** A certificate for a name or an IPv4 address. */
  readonly issue: (host: string, validity?: 'valid' | 'expired' | 'not yet') => Certificate;
};

const validities = {
  valid: ['200101000000Z', '491231235959Z'],
  expired: ['200101000000Z', '210101000000Z'],
  'not yet': ['480101000000Z', '491231235959Z'],
} as const;

/** Created for each run: a private key does not belong in a repository. */
export function certificateAuthority(): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = commonName('An authority for tests');
  const isAuthority = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))));
  const cert = signed({
    subject: name,
    issuer: name,
    key: own.publicKey,
    by: own.privateKey,
    extensions: [isAuthority],
  });
  return {
    cert,
    issue(host, validity = 'valid') {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const isAddress = /^[\d.]+$/.test(host);
      const alternative = isAddress
        ? der(0x87, Buffer.from(host.split('.').map(Number)))
        : der(0x82, Buffer.from(host));
      return {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        cert: signed({
          subject: commonName(host),
          issuer: name,
          key: publicKey,
          by: own.privateKey,
          extensions: [extension('551d11', sequence(alternative))],
          validity,
        }),
      };
    },
  };
}

type Content = {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly key: KeyObject;
  readonly by: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly validity?: keyof typeof validities;
};

let serial = 1;

function signed({ subject, issuer, key, by, extensions, validity = 'valid' }: Content): string {
  const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([serial++])),
    ecdsaWithSha256,
    issuer,
    sequence(...validities[validity].map((time) => der(0x17, Buffer.from(time)))),
    subject,
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, by));
  const bytes = sequence(content, ecdsaWithSha256, signature);
  return `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
}

const commonName = (text: string): Buffer =>
  sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(text)))));
const extension = (oid: string, content: Buffer): Buffer =>
  sequence(der(0x06, Buffer.from(oid, 'hex')), der(0x04, content));
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}
