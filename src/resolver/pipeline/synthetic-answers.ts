import type { Message, ResourceRecord } from '../../dns/message.ts';
import { classes, rcodes, types } from '../../dns/numbers.ts';
import type { Question } from '../../dns/question.ts';
import { textData } from '../../dns/record-data.ts';
import { ttlOffsets } from '../../dns/ttl.ts';
import { writeMessage } from '../../dns/write-message.ts';
import type { CachedAnswer } from '../cache/cache-entry.ts';
import { negativeSoa } from './respond.ts';

/** TTL of synthesized answers, in seconds. */
const MADE_TTL = 300;
/** Short, because a record may be added at any time. */
const NO_DATA_TTL = 60;

type AnswerContent = Partial<Pick<Message, 'rcode' | 'answer' | 'authority'>>;

/** A synthesized answer in the format of upstream answers. */
export function syntheticAnswer(
  query: Uint8Array,
  question: Question,
  { rcode = 0, answer = [], authority = [] }: AnswerContent,
): CachedAnswer {
  const name = query.slice(question.nameAt, question.nameEnd);
  const message = writeMessage({
    id: 0,
    response: true,
    opcode: 0,
    authoritative: false,
    truncated: false,
    recursionDesired: true,
    recursionAvailable: true,
    authenticData: false,
    checkingDisabled: false,
    rcode,
    questions: [{ name, type: question.type, class: question.class }],
    answer,
    authority,
    additional: [],
  });
  return { message, ttlOffsets: ttlOffsets(message)!, targets: new Uint8Array(0), ttlSeconds: 0 };
}

/** An answer with only an RCODE, which may be cached as a negative answer. */
export const codeAnswer = (query: Uint8Array, question: Question, rcode: number, ttl = MADE_TTL): CachedAnswer =>
  syntheticAnswer(query, question, {
    rcode,
    authority: rcode === rcodes.NOERROR || rcode === rcodes.NXDOMAIN ? [{ ...soaRecord(query, question), ttl }] : [],
  });

/** Records of the name and of its aliases; with an SOA if the answer is negative. */
export function aliasesAnswer(
  query: Uint8Array,
  question: Question,
  answer: readonly ResourceRecord[],
  rcode: number = rcodes.NOERROR,
): CachedAnswer {
  const isNegative =
    rcode === rcodes.NXDOMAIN || (rcode === rcodes.NOERROR && !answer.some(({ type }) => type === question.type));
  const authority = isNegative ? [{ ...soaRecord(query, question), ttl: NO_DATA_TTL }] : [];
  return syntheticAnswer(query, question, { rcode, answer, authority });
}

export const recordsAnswer = (query: Uint8Array, question: Question, data: readonly Uint8Array[]): CachedAnswer =>
  data.length === 0
    ? codeAnswer(query, question, rcodes.NOERROR)
    : syntheticAnswer(query, question, {
        answer: data.map((recordData) => ownRecord(query, question, question.type, recordData)),
      });

/** Lines of text as the answer to a query of class CHAOS. */
export const linesAnswer = (query: Uint8Array, question: Question, lines: readonly string[]): CachedAnswer =>
  syntheticAnswer(query, question, {
    answer: lines.map((line) => ({
      ...ownRecord(query, question, types.TXT, textData(line)),
      class: classes.CH,
      ttl: 0,
    })),
  });

const ownRecord = (query: Uint8Array, question: Question, type: number, data: Uint8Array): ResourceRecord => ({
  name: query.slice(question.nameAt, question.nameEnd),
  type,
  class: classes.IN,
  ttl: MADE_TTL,
  data,
});

const soaRecord = (query: Uint8Array, question: Question): ResourceRecord =>
  ownRecord(query, question, types.SOA, negativeSoa);
