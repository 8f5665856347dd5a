import { HEADER_LENGTH } from './numbers.ts';

/**
 * Offsets of the parts of a query. Reused for many queries. Offsets count from the start of the array, not of the message;
 * a length of 0 means absent.
 */
export type Question = {
  at: number;
  id: number;
  opcode: number;
  /** Response code if `accept` decided already. */
  code: number;
  recursionDesired: boolean;
  checkingDisabled: boolean;
  authenticData: boolean;
  truncated: boolean;
  nameAt: number;
  nameEnd: number;
  type: number;
  class: number;
  /** End of the question, or of the header if there is no question to echo. */
  questionEnd: number;
  edns: boolean;
  udpSize: number;
  version: number;
  dnssecOk: boolean;
  cookieAt: number;
  cookieLength: number;
  subnetAt: number;
  subnetLength: number;
  deviceAt: number;
  deviceLength: number;
  /** MAC address of the client behind a forwarder: 6 bytes, or text of 17 or 8 bytes. */
  macAt: number;
  macLength: number;
  paddingAsked: boolean;
  extendedErrorAsked: boolean;
  keepaliveAsked: boolean;
  /** End of the last record; trailing bytes are ignored. */
  end: number;
};

export const newQuestion = (): Question => ({
  at: 0,
  id: 0,
  opcode: 0,
  code: 0,
  recursionDesired: false,
  checkingDisabled: false,
  authenticData: false,
  truncated: false,
  nameAt: 0,
  nameEnd: 0,
  type: 0,
  class: 0,
  questionEnd: 0,
  edns: false,
  udpSize: 0,
  version: 0,
  dnssecOk: false,
  cookieAt: 0,
  cookieLength: 0,
  subnetAt: 0,
  subnetLength: 0,
  deviceAt: 0,
  deviceLength: 0,
  macAt: 0,
  macLength: 0,
  paddingAsked: false,
  extendedErrorAsked: false,
  keepaliveAsked: false,
  end: 0,
});

/** Reads the header and resets all other members. */
export function clearQuestion(question: Question, bytes: Uint8Array, at: number): void {
  const high = bytes[at + 2]!;
  const low = bytes[at + 3]!;
  question.at = at;
  question.id = (bytes[at]! << 8) | bytes[at + 1]!;
  question.opcode = (high >> 3) & 0xf;
  question.code = 0;
  question.truncated = (high & 0x02) !== 0;
  question.recursionDesired = (high & 0x01) !== 0;
  question.authenticData = (low & 0x20) !== 0;
  question.checkingDisabled = (low & 0x10) !== 0;
  question.nameAt = at + HEADER_LENGTH;
  question.nameEnd = at + HEADER_LENGTH;
  question.type = 0;
  question.class = 0;
  question.questionEnd = at + HEADER_LENGTH;
  question.edns = false;
  question.udpSize = 0;
  question.version = 0;
  question.dnssecOk = false;
  question.cookieAt = 0;
  question.cookieLength = 0;
  question.subnetAt = 0;
  question.subnetLength = 0;
  question.deviceAt = 0;
  question.deviceLength = 0;
  question.macAt = 0;
  question.macLength = 0;
  question.paddingAsked = false;
  question.extendedErrorAsked = false;
  question.keepaliveAsked = false;
  question.end = at + HEADER_LENGTH;
}
