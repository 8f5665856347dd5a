import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = Array.from(value, ([key, each]) => Buffer.concat([encode(key), encode(each)]));
  return Buffer.concat([head(5, value.size), ...entries]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

/** Differences from an honest response. */
export type Deviation = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly userHandle?: string;
  readonly format?: string;
};

/** An authenticator in software with one ES256 passkey, and the browser around it. */
export function passkeyAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;
  let userHandle = '';
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  const clientData = (type: string, challenge: string, { origin: other }: Deviation): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: other ?? origin, crossOrigin: false }));

  const authenticatorData = (rpId: string, isNew: boolean, { isVerified = true }: Deviation): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (isNew ? 0x40 : 0);
    const known = [sha256(rpId), Buffer.from([flags]), count];
    if (!isNew) return Buffer.concat(known);
    const coordinate = (text: string): Buffer => Buffer.from(text, 'base64url');
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]);
    return Buffer.concat([...known, Buffer.alloc(16), Buffer.from([0, id.length]), id, encode(key)]);
  };

  return {
    create: (options: { challenge: string; rp: { id: string }; user: { id: string } }, deviation: Deviation = {}) => {
      userHandle = options.user.id;
      const attestation = new Map<string, Cbor>([
        ['fmt', deviation.format ?? 'none'],
        ['attStmt', new Map()],
        ['authData', authenticatorData(deviation.rpId ?? options.rp.id, true, deviation)],
      ]);
      const clientDataJSON = clientData('webauthn.create', options.challenge, deviation).toString('base64url');
      const attestationObject = encode(attestation).toString('base64url');
      return { ...credential, response: { clientDataJSON, attestationObject, transports: ['internal'] } };
    },

    get: (options: { challenge: string; rpId: string }, deviation: Deviation = {}) => {
      const data = authenticatorData(deviation.rpId ?? options.rpId, false, deviation);
      const client = clientData('webauthn.get', options.challenge, deviation);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: deviation.userHandle ?? userHandle,
        },
      };
    },
  };
}
