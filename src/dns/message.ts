/** A message with everything in it. Names are whole, on the wire's bytes, in the case they came in. */
export type Message = {
  readonly id: number;
  readonly response: boolean;
  readonly opcode: number;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly recursionDesired: boolean;
  readonly recursionAvailable: boolean;
  readonly authenticData: boolean;
  readonly checkingDisabled: boolean;
  /** With the eight bits that the OPT record adds. */
  readonly rcode: number;
  readonly questions: readonly Asked[];
  readonly answer: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  /** Without the OPT record, which is `edns`. */
  readonly additional: readonly ResourceRecord[];
  readonly edns?: Edns;
};

export type Asked = { readonly name: Uint8Array; readonly type: number; readonly class: number };

export type ResourceRecord = {
  readonly name: Uint8Array;
  readonly type: number;
  readonly class: number;
  /** In seconds. */
  readonly ttl: number;
  /** Names in it are whole, where the type is one of those that may shorten them. */
  readonly data: Uint8Array;
};

export type Edns = {
  readonly udpSize: number;
  readonly version: number;
  readonly dnssecOk: boolean;
  readonly options: readonly EdnsOption[];
};

export type EdnsOption = { readonly code: number; readonly data: Uint8Array };

/** A query as we send it: recursion wanted, nothing else said. */
export const queryFor = (asked: Asked, id: number, edns?: Edns): Message => ({
  id,
  response: false,
  opcode: 0,
  authoritative: false,
  truncated: false,
  recursionDesired: true,
  recursionAvailable: false,
  authenticData: false,
  checkingDisabled: false,
  rcode: 0,
  questions: [asked],
  answer: [],
  authority: [],
  additional: [],
  ...(edns && { edns }),
});
