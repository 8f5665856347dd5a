import { parseIpOf } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { RecordValue } from './rule.ts';

export type ServiceParameter = Extract<RecordValue, { kind: 'service binding' }>['parameters'][number];
type ReadParameter = (value: string | undefined) => Uint8Array | undefined;

const utf8 = new TextEncoder();
const LAST_NAMED_KEY = 8;

// RFC 9460, section 14.3.2, and later registrations: parsers of parameter values.
const parameters: Readonly<
  Record<string, { readonly key: number; readonly read: ReadParameter; readonly like: string }>
> = {
  alpn: { key: 1, read: readProtocols, like: 'alpn=h2,h3' },
  'no-default-alpn': { key: 2, read: readNothing, like: 'no-default-alpn without a value' },
  port: { key: 3, read: readPort, like: 'port=8443' },
  ipv4hint: { key: 4, read: (value) => readAddresses('V4', value), like: 'ipv4hint=192.0.2.1' },
  ech: { key: 5, read: readBase64, like: 'ech= and base64' },
  ipv6hint: { key: 6, read: (value) => readAddresses('V6', value), like: 'ipv6hint=2001:db8::1' },
  dohpath: { key: 7, read: readText, like: 'dohpath=/dns-query{?dns}' },
  ohttp: { key: 8, read: readNothing, like: 'ohttp without a value' },
};

/** Parses `alpn=h3`, `port=8443` or `key65400=text`; the error shows the expected syntax. */
export function readParameter(text: string): Result<ServiceParameter, string> {
  const [name = '', ...rest] = text.split('=');
  const value = rest.length === 0 ? undefined : rest.join('=').replace(/^"(.*)"$/, '$1');
  const unnamed = /^key(0|[1-9]\d{0,4})$/.exec(name)?.[1];
  if (unnamed !== undefined && Number(unnamed) > LAST_NAMED_KEY && Number(unnamed) < 0xffff) {
    return ok({ key: Number(unnamed), value: utf8.encode(value ?? '') });
  }
  if (!Object.hasOwn(parameters, name)) {
    return err(`"${name}" is not a parameter: use ${Object.keys(parameters).join(', ')} or keyNNNNN`);
  }
  const { key, read, like } = parameters[name]!;
  const bytes = read(value);
  return bytes ? ok({ key, value: bytes }) : err(`write the parameter like ${like}`);
}

function readNothing(value: string | undefined): Uint8Array | undefined {
  return value === undefined ? new Uint8Array(0) : undefined;
}

function readText(value: string | undefined): Uint8Array | undefined {
  return value ? utf8.encode(value) : undefined;
}

function readProtocols(value: string | undefined): Uint8Array | undefined {
  const protocols = (value ?? '').split(',').map((protocol) => utf8.encode(protocol));
  if (protocols.some(({ length }) => length === 0 || length > 255)) return undefined;
  return Uint8Array.from(protocols.flatMap((protocol) => [protocol.length, ...protocol]));
}

function readPort(value: string | undefined): Uint8Array | undefined {
  const port = /^\d{1,5}$/.test(value ?? '') ? Number(value) : 0x10000;
  return port <= 0xffff ? Uint8Array.of(port >> 8, port & 0xff) : undefined;
}

function readAddresses(family: 'V4' | 'V6', value: string | undefined): Uint8Array | undefined {
  const addresses = (value ?? '').split(',').map((address) => parseIpOf(family, address));
  return addresses.every((address) => address !== undefined)
    ? Uint8Array.from(addresses.flatMap(({ bytes }) => bytes))
    : undefined;
}

function readBase64(value: string | undefined): Uint8Array | undefined {
  const isBase64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(value ?? '') && !value?.includes('_');
  return value && isBase64 ? Uint8Array.from(atob(value), (character) => character.charCodeAt(0)) : undefined;
}
