import { addressText } from '../kit/address-text.ts';
import { readUint16 } from './bytes.ts';
import { readParameters, serviceKeys } from './service-binding.ts';
import { base64, escaped } from './text-encodings.ts';

const COMMA = 0x2c;
const BACKSLASH = 0x5c;

type Wording = { readonly name: string; readonly text: (value: Uint8Array) => string | undefined };

const wordings = new Map<number, Wording>([
  [serviceKeys.mandatory, { name: 'mandatory', text: keysText }],
  [serviceKeys.alpn, { name: 'alpn', text: protocolsText }],
  [serviceKeys.noDefaultAlpn, { name: 'no-default-alpn', text: (value) => (value.length === 0 ? '' : undefined) }],
  [
    serviceKeys.port,
    { name: 'port', text: (value) => (value.length === 2 ? String(readUint16(value, 0)) : undefined) },
  ],
  [serviceKeys.ipv4hint, { name: 'ipv4hint', text: (value) => addressesText(value, 4) }],
  [serviceKeys.ech, { name: 'ech', text: base64 }],
  [serviceKeys.ipv6hint, { name: 'ipv6hint', text: (value) => addressesText(value, 16) }],
  [serviceKeys.dohpath, { name: 'dohpath', text: wordText }],
]);

const keyName = (key: number): string => wordings.get(key)?.name ?? `key${key}`;

/** `alpn=h2,h3 ipv4hint=192.0.2.1` (RFC 9460, 2.1); undefined if malformed. */
export function serviceParametersText(bytes: Uint8Array): string | undefined {
  const texts = readParameters(bytes, 0)?.map(({ key, value }) => {
    const text = (wordings.get(key)?.text ?? wordText)(value);
    return text === '' ? keyName(key) : text && `${keyName(key)}=${text}`;
  });
  return texts?.every((text) => text !== undefined) ? texts.join(' ') : undefined;
}

function keysText(value: Uint8Array): string | undefined {
  if (value.length === 0 || value.length % 2 !== 0) return undefined;
  return Array.from({ length: value.length / 2 }, (_, i) => keyName(readUint16(value, 2 * i))).join(',');
}

function protocolsText(value: Uint8Array): string | undefined {
  const names: string[] = [];
  for (let at = 0; at < value.length; ) {
    const end = at + 1 + value[at]!;
    if (end > value.length || end === at + 1) return undefined;
    names.push(escaped(listItem(value.subarray(at + 1, end)), /["\\]/));
    at = end;
  }
  return names.length > 0 ? quotedIfNeeded(names.join(',')) : undefined;
}

/** List separators are escaped first, then the text as a whole (RFC 9460, A.1). */
const listItem = (item: Uint8Array): Uint8Array =>
  Uint8Array.from([...item].flatMap((byte) => (byte === COMMA || byte === BACKSLASH ? [BACKSLASH, byte] : [byte])));

function addressesText(value: Uint8Array, size: number): string | undefined {
  if (value.length === 0 || value.length % size !== 0) return undefined;
  return Array.from({ length: value.length / size }, (_, i) =>
    addressText(value.subarray(size * i, size * (i + 1))),
  ).join(',');
}

function wordText(value: Uint8Array): string {
  return quotedIfNeeded(escaped(value, /["\\]/));
}

function quotedIfNeeded(text: string): string {
  return /[\s;()"]/.test(text) ? `"${text}"` : text;
}
