import { wireName } from '../kit/wire-name.ts';
import { uint16Bytes } from './bytes.ts';
import { parameterBytes, type ServiceParameter } from './service-binding.ts';

const LONGEST_STRING = 255;

export type ZoneAuthority = {
  readonly primary: string;
  readonly mailbox: string;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
};

/** RDATA of CNAME, PTR and other types that hold one name. Returns undefined for an invalid name, like all functions here. */
export const nameData = (name: string): Uint8Array | undefined => wireName(name);

export const mailExchangeData = (preference: number, exchange: string): Uint8Array | undefined =>
  before(uint16Bytes(preference), wireName(exchange));

export const serviceLocationData = (
  priority: number,
  weight: number,
  port: number,
  target: string,
): Uint8Array | undefined => before(uint16Bytes(priority, weight, port), wireName(target));

/** RDATA of SVCB and HTTPS. Parameters must be sorted by key (RFC 9460, 2.2). */
export function serviceBindingData(
  priority: number,
  target: string,
  parameters: readonly ServiceParameter[],
): Uint8Array | undefined {
  const start = before(uint16Bytes(priority), wireName(target));
  return start && Uint8Array.from([...start, ...parameterBytes(parameters)]);
}

export function zoneAuthorityData(zone: ZoneAuthority): Uint8Array | undefined {
  const primary = wireName(zone.primary);
  const mailbox = wireName(zone.mailbox);
  const numbers = [zone.serial, zone.refresh, zone.retry, zone.expire, zone.minimum];
  return (
    primary &&
    mailbox &&
    Uint8Array.from([...primary, ...mailbox, ...numbers.flatMap((number) => uint16Bytes(number >>> 16, number))])
  );
}

/** RDATA of TXT: text longer than 255 bytes is split into several strings, which readers join. */
export function textData(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const strings: number[] = [];
  let at = 0;
  do {
    const part = bytes.subarray(at, at + LONGEST_STRING);
    strings.push(part.length, ...part);
    at += LONGEST_STRING;
  } while (at < bytes.length);
  return Uint8Array.from(strings);
}

/** RDATA of HINFO, the answer to ANY queries (RFC 8482, 4.2). */
export const hostInfoData = (cpu: string, system: string): Uint8Array =>
  Uint8Array.from([cpu, system].flatMap((text) => [...textData(text.slice(0, LONGEST_STRING))]));

const before = (start: readonly number[], name: Uint8Array | undefined): Uint8Array | undefined =>
  name && Uint8Array.from([...start, ...name]);
