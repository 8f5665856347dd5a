/** Meaning of a header field. A malformed field makes the request malformed (RFC 9113, 8.1.1). */
export type FieldKind = keyof typeof takes;

export type Field = { readonly name: string; readonly value: string; readonly kind: FieldKind };

/** The used fields of a request header. */
export type RequestHead = {
  method: string;
  scheme: string;
  path: string;
  contentType: string | undefined;
  contentLength: string | undefined;
  authorization: string | undefined;
  forwardedFor: string | undefined;
  authority: string | undefined;
  /** Paths whose requests need all fields. */
  readonly needsFields: ((path: string) => boolean) | undefined;
  /** Names and values of all fields but the pseudo-header fields, if the path needs them. */
  others: string[] | undefined;
  isMalformed: boolean;
  isTooLong: boolean;
  /** Pseudo-header fields such as :path come first. */
  isPastPseudo: boolean;
  fields: number;
  bytes: number;
};

export const MAX_HEAD_BYTES = 98_304;
const MAX_FIELDS = 64;
/** Size of a field besides its characters (RFC 7541, 4.1). */
export const FIELD_OVERHEAD = 32;

export const newRequestHead = (needsFields?: RequestHead['needsFields']): RequestHead => ({
  method: '',
  scheme: '',
  path: '',
  contentType: undefined,
  contentLength: undefined,
  authorization: undefined,
  forwardedFor: undefined,
  authority: undefined,
  needsFields,
  others: undefined,
  isMalformed: false,
  isTooLong: false,
  isPastPseudo: false,
  fields: 0,
  bytes: 0,
});

/** Adds a field; ignored once the header is too long or malformed. */
export function addField(head: RequestHead, kind: FieldKind, name: string, value: string, bytes: number): void {
  head.fields += 1;
  head.bytes += bytes;
  if (head.fields > MAX_FIELDS || head.bytes > MAX_HEAD_BYTES) head.isTooLong = true;
  else {
    takes[kind](head, value);
    if (head.others && head.isPastPseudo) head.others.push(name, value);
  }
}

/** Required fields of a request; CONNECT has none of them and is not supported. */
export const isWhole = ({ method, scheme, path }: RequestHead): boolean =>
  method !== '' && scheme !== '' && path !== '';

const pseudo =
  (name: 'method' | 'scheme' | 'path') =>
  (head: RequestHead, value: string): void => {
    if (head[name] !== '' || value === '' || head.isPastPseudo) head.isMalformed = true;
    head[name] = value;
  };

const takePath = pseudo('path');

/** The first of repeated fields counts. */
const single =
  (name: 'contentType' | 'authorization') =>
  (head: RequestHead, value: string): void => {
    head.isPastPseudo = true;
    head[name] ??= value;
  };

const takes = {
  ':method': pseudo('method'),
  ':scheme': pseudo('scheme'),
  ':path': (head: RequestHead, value: string): void => {
    takePath(head, value);
    if (head.needsFields?.(value)) head.others = [];
  },
  ':authority': (head: RequestHead, value: string): void => {
    if (head.isPastPseudo) head.isMalformed = true;
    head.authority = value;
  },
  'content-type': single('contentType'),
  authorization: single('authorization'),
  'content-length': (head: RequestHead, value: string): void => {
    head.isPastPseudo = true;
    if (head.contentLength !== undefined || !/^\d{1,15}$/.test(value)) head.isMalformed = true;
    head.contentLength = value;
  },
  'x-forwarded-for': (head: RequestHead, value: string): void => {
    head.isPastPseudo = true;
    head.forwardedFor = head.forwardedFor === undefined ? value : `${head.forwardedFor}, ${value}`;
  },
  other: (head: RequestHead): void => {
    head.isPastPseudo = true;
  },
  malformed: (head: RequestHead): void => {
    head.isMalformed = true;
  },
} satisfies Record<string, (head: RequestHead, value: string) => void>;

// Connection-specific fields of HTTP/1.1.
const forbidden = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** Meaning of a field name, for any value. */
export function kindOfName(name: string): FieldKind {
  if (name !== 'other' && name !== 'malformed' && Object.hasOwn(takes, name)) return name as FieldKind;
  return /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) && !forbidden.has(name) ? 'other' : 'malformed';
}

/** Meaning of a field with this value, if its name means `kind`. */
export function kindOfField(kind: FieldKind, name: string, value: string): FieldKind {
  if (/[\0\r\n]|^[ \t]|[ \t]$/.test(value)) return 'malformed';
  return name === 'te' && value.toLowerCase() !== 'trailers' ? 'malformed' : kind;
}
