/** A parsed message. Names are uncompressed wire bytes in their original case. */
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
  /** Includes the eight extended bits from OPT. */
  readonly rcode: number;
  readonly questions: readonly MessageQuestion[];
  readonly answer: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  /** Without OPT, which is `edns`. */
  readonly additional: readonly ResourceRecord[];
  readonly edns?: Edns;
};

export type MessageQuestion = { readonly name: Uint8Array; readonly type: number; readonly class: number };

export type ResourceRecord = {
  readonly name: Uint8Array;
  readonly type: number;
  readonly class: number;
  /** In seconds. */
  readonly ttl: number;
  /** Names are decompressed for types that may compress them. */
  readonly data: Uint8Array;
};

export type Edns = {
  readonly udpSize: number;
  readonly version: number;
  readonly dnssecOk: boolean;
  readonly options: readonly EdnsOption[];
};

export type EdnsOption = { readonly code: number; readonly data: Uint8Array };

/** A query as sent upstream: RD set, all other flags clear. */
export const queryFor = (question: MessageQuestion, id: number, edns?: Edns): Message => ({
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
  questions: [question],
  answer: [],
  authority: [],
  additional: [],
  ...(edns && { edns }),
});
