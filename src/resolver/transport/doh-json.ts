import { readExtendedError } from '../../dns/edns.ts';
import { type Message, queryFor, type ResourceRecord } from '../../dns/message.ts';
import { classes, OUR_UDP_SIZE, optionCodes } from '../../dns/numbers.ts';
import { readMessage } from '../../dns/read-message.ts';
import { recordText } from '../../dns/record-text.ts';
import { writeMessage } from '../../dns/write-message.ts';
import { typeNumber } from '../../kit/dns-numbers.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { nameText, wireName } from '../../kit/wire-name.ts';

// The JSON format of DNS over HTTPS, as documented by Google and Cloudflare. There is no standard.

export type JsonQuestion = { readonly bytes: Uint8Array; readonly form: 'message' | 'json' };

const forms: ReadonlyMap<string, JsonQuestion['form']> = new Map([
  ['', 'json'],
  ['application/dns-json', 'json'],
  ['application/json', 'json'],
  ['application/x-javascript', 'json'],
  ['application/dns-message', 'message'],
]);

const switches: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
]);

/** `name=example.org&type=AAAA&do=1&cd=0&ct=…` as a DNS query. Other parameters are ignored. */
export function readJsonQuestion(search: string): Result<JsonQuestion, string> {
  const parameters = new URLSearchParams(search);
  const of = (name: string): string => parameters.get(name) ?? '';
  if (of('name') === '') return err('The parameter name is missing.');
  const name = wireName(of('name'));
  if (!name) return err('The parameter name is not a domain name.');
  const type = readType(of('type') || 'A');
  if (type === undefined) return err('The parameter type is neither a record type nor its number.');
  const [dnssecOk, checkingDisabled] = [switches.get(of('do').toLowerCase()), switches.get(of('cd').toLowerCase())];
  if (dnssecOk === undefined || checkingDisabled === undefined) return err('The parameters do and cd are 0 or 1.');
  const form = forms.get(of('ct').toLowerCase());
  if (!form) return err('The parameter ct is application/dns-json or application/dns-message.');
  // The query always has EDNS, so that the answer can contain an extended error.
  const edns = { udpSize: OUR_UDP_SIZE, version: 0, dnssecOk, options: [] };
  const query = { ...queryFor({ name, type, class: classes.IN }, 0, edns), checkingDisabled };
  return ok({ bytes: writeMessage(query), form });
}

function readType(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : typeNumber(text.toUpperCase());
  return number !== undefined && number >= 1 && number <= 0xffff ? number : undefined;
}

/** An answer as JSON; undefined if malformed. */
export function writeJson(bytes: Uint8Array): string | undefined {
  const message = readMessage(bytes);
  return message.ok ? JSON.stringify(jsonOf(message.value)) : undefined;
}

function jsonOf(message: Message): object {
  const { answer, authority, additional, edns } = message;
  const errors = (edns?.options ?? [])
    .filter(({ code }) => code === optionCodes.extendedError)
    .flatMap(({ data }) => readExtendedError(data) ?? []);
  return {
    Status: message.rcode,
    TC: message.truncated,
    RD: message.recursionDesired,
    RA: message.recursionAvailable,
    AD: message.authenticData,
    CD: message.checkingDisabled,
    Question: message.questions.map(({ name, type }) => ({ name: dotted(name), type })),
    ...(answer.length > 0 && { Answer: answer.map(jsonRecord) }),
    ...(authority.length > 0 && { Authority: authority.map(jsonRecord) }),
    ...(additional.length > 0 && { Additional: additional.map(jsonRecord) }),
    ...(errors.length > 0 && {
      extended_dns_errors: errors.map(({ code, text }) => ({ info_code: code, ...(text && { extra_text: text }) })),
    }),
  };
}

const jsonRecord = ({ name, type, ttl, data }: ResourceRecord): object => ({
  name: dotted(name),
  type,
  TTL: ttl,
  data: recordText(type, data),
});

const dotted = (name: Uint8Array): string => {
  const text = nameText(name, 0);
  return text === '.' ? text : `${text}.`;
};
