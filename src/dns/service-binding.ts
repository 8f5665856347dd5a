import { readUint16, uint16Bytes } from './bytes.ts';
import { wholeNameEnd } from './wire-names.ts';

export type ServiceParameter = { readonly key: number; readonly value: Uint8Array };

export type ServiceBinding = {
  readonly priority: number;
  readonly target: Uint8Array;
  readonly parameters: readonly ServiceParameter[];
};

/** SvcParam keys in use (RFC 9460, 14.3.2; RFC 9461). */
export const serviceKeys = {
  mandatory: 0,
  alpn: 1,
  noDefaultAlpn: 2,
  port: 3,
  ipv4hint: 4,
  ech: 5,
  ipv6hint: 6,
  dohpath: 7,
} as const;

const hintBytes = new Map<number, number>([
  [serviceKeys.ipv4hint, 4],
  [serviceKeys.ipv6hint, 16],
]);

/** Parses SVCB and HTTPS RDATA (RFC 9460, 2.2); undefined if malformed. */
export function readServiceBinding(data: Uint8Array): ServiceBinding | undefined {
  const nameEnd = wholeNameEnd(data, 2, data.length);
  const parameters = nameEnd === -1 ? undefined : readParameters(data, nameEnd);
  return parameters && { priority: readUint16(data, 0), target: data.subarray(2, nameEnd), parameters };
}

/** Parameters to the end of the data, sorted by key, without duplicates. */
export function readParameters(bytes: Uint8Array, from: number): readonly ServiceParameter[] | undefined {
  const parameters: ServiceParameter[] = [];
  let before = -1;
  for (let at = from; at < bytes.length; ) {
    const start = at + 4;
    if (start > bytes.length) return undefined;
    const key = readUint16(bytes, at);
    at = start + readUint16(bytes, at + 2);
    if (at > bytes.length || key <= before) return undefined;
    parameters.push({ key, value: bytes.subarray(start, at) });
    before = key;
  }
  return parameters;
}

export const parameterBytes = (parameters: readonly ServiceParameter[]): number[] =>
  parameters.flatMap(({ key, value }) => [...uint16Bytes(key, value.length), ...value]);

/** Address hints of 4 or 16 bytes each; undefined if malformed. */
export function addressHints(data: Uint8Array): readonly Uint8Array[] | undefined {
  const binding = readServiceBinding(data);
  if (!binding) return undefined;
  const hints: Uint8Array[] = [];
  for (const { key, value } of binding.parameters) {
    const size = hintBytes.get(key);
    if (size === undefined) continue;
    if (value.length === 0 || value.length % size !== 0) return undefined;
    for (let at = 0; at < value.length; at += size) hints.push(value.subarray(at, at + size));
  }
  return hints;
}
