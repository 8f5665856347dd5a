import { codeNumber, typeName, typeNumber } from '../kit/dns-numbers.ts';
import { parseIp } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { readName } from './domain-name.ts';
import { unescaped } from './list-value.ts';
import { recordReaders } from './record-values.ts';
import type { Rewrite } from './rule.ts';
import { errorAt, type RuleError, shiftError } from './rule-error.ts';

// Larger codes need EDNS.
const MAX_CODE = 15;
const NOERROR = 0;
const typeA = typeNumber('A')!;
const typeAaaa = typeNumber('AAAA')!;
const typeCname = typeNumber('CNAME')!;

/** `$dnsrewrite=`: an address, a name or a code, or `CODE;TYPE;VALUE`. */
export function readRewrite(value: string): Result<Rewrite, RuleError> {
  const text = unescaped(value);
  const rewrite = text.includes(';') ? readFull(text) : readShort(text);
  // After backslashes columns no longer correspond.
  if (!rewrite.ok && text !== value) return err(errorAt(rewrite.error.reason, 0, value.length));
  return rewrite;
}

function readShort(text: string): Result<Rewrite, RuleError> {
  const code = readCode(text);
  if (code !== undefined) return ok({ kind: 'code', code });
  const ip = parseIp(text);
  if (ip) {
    const type = ip.family === 'V4' ? typeA : typeAaaa;
    return ok({ kind: 'record', type, value: { kind: 'address', bytes: Uint8Array.from(ip.bytes) } });
  }
  if (/^[A-Z]+$/.test(text)) return err(errorAt(noCode(text), 0, text.length));
  const target = readName(text);
  return target.ok ? ok({ kind: 'cname', target: target.value }) : target;
}

function readCode(text: string): number | undefined {
  const code = codeNumber(text.toUpperCase());
  return code !== undefined && code <= MAX_CODE ? code : undefined;
}

const noCode = (text: string): string =>
  `"${text}" is not a response code such as NOERROR, NXDOMAIN, REFUSED or SERVFAIL`;

function readFull(text: string): Result<Rewrite, RuleError> {
  const [code = '', type, ...rest] = text.split(';');
  if (type === undefined || rest.length === 0) {
    return err(errorAt('write a full rewrite as CODE;TYPE;VALUE: TYPE and VALUE may be empty', 0, text.length));
  }
  const value = rest.join(';');
  const number = readCode(code);
  if (number === undefined) return err(errorAt(noCode(code), 0, code.length));
  if (type === '' && value === '') return ok({ kind: 'code', code: number });
  const behindCode = code.length + 1;
  if (number !== NOERROR) {
    const reason = `${code.toUpperCase()} cannot have a record: write ${code.toUpperCase()};;`;
    return err(errorAt(reason, behindCode, text.length - behindCode));
  }
  const record = readRecord(type.toUpperCase(), value);
  if (record === undefined) {
    const reason = `"${type}" is not a supported record type: use ${[...recordReaders.keys()].join(', ')}`;
    return err(errorAt(reason, behindCode, type.length));
  }
  return record.ok ? record : err(shiftError(record.error, behindCode + type.length + 1));
}

function readRecord(type: string, value: string): Result<Rewrite, RuleError> | undefined {
  const number = typeNumber(type);
  const read = number === undefined ? undefined : recordReaders.get(typeName(number));
  if (number === undefined || read === undefined) return undefined;
  const record = read(value);
  if (!record.ok) return record;
  if (number === typeCname && record.value.kind === 'name') return ok({ kind: 'cname', target: record.value.name });
  return ok({ kind: 'record', type: number, value: record.value });
}
