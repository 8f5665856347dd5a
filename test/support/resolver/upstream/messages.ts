import assert from 'node:assert/strict';
import type { Message, ResourceRecord } from '../../../../src/dns/message.ts';
import { classes, types } from '../../../../src/dns/numbers.ts';
import { readMessage } from '../../../../src/dns/read-message.ts';
import { writeMessage } from '../../../../src/dns/write-message.ts';
import { nameText, wireName } from '../../../../src/kit/wire-name.ts';
import type { Answered, UpstreamAnswer } from '../../../../src/resolver/upstream/upstream-answer.ts';
import type { UpstreamQuestion } from '../../../../src/resolver/upstream/upstream-query.ts';

export const name = (text: string): Uint8Array => wireName(text)!;

export const question = (text: string, more: Partial<UpstreamQuestion> = {}): UpstreamQuestion => ({
  name: name(text),
  type: types.A,
  class: classes.IN,
  dnssecOk: false,
  checkingDisabled: false,
  ...more,
});

/** A query that a scripted server received. */
export type Query = { readonly bytes: Uint8Array; readonly message: Message; readonly name: string };

export function readQuery(bytes: Uint8Array): Query {
  const read = readMessage(Uint8Array.from(bytes));
  assert.ok(read.ok, 'a query of ours can be read');
  return { bytes, message: read.value, name: nameText(read.value.questions[0]!.name, 0).toLowerCase() };
}

export const record = (owner: string, type: number, data: Uint8Array, ttl = 300): ResourceRecord => ({
  name: name(owner),
  type,
  class: classes.IN,
  ttl,
  data,
});
export const a = (owner: string, address = '192.0.2.1', ttl = 300): ResourceRecord =>
  record(owner, types.A, Uint8Array.from(address.split('.').map(Number)), ttl);
export const cname = (owner: string, target: string): ResourceRecord => record(owner, types.CNAME, name(target));

/** An answer as an honest server gives it: the question as it came, with its id and case. */
export function answerTo({ message }: Query, more: Partial<Message> = {}): Uint8Array {
  const { id, questions, checkingDisabled } = message;
  const owner = questions[0]!;
  return writeMessage({
    ...message,
    id,
    response: true,
    recursionAvailable: true,
    checkingDisabled,
    answer: owner.type === types.A ? [{ ...a('x'), name: owner.name }] : [],
    ...more,
  });
}

export const addressesOf = (answer: UpstreamAnswer): string[] =>
  answered(answer)
    .message.answer.filter(({ type }) => type === types.A)
    .map(({ data }) => data.join('.'));

export function answered(answer: UpstreamAnswer): Answered {
  assert.ok(answer.kind === 'answer', answer.kind === 'failed' ? `${answer.why}: ${answer.detail}` : '');
  return answer;
}

export function whyFailed(answer: UpstreamAnswer): string {
  assert.ok(answer.kind === 'failed', 'there was an answer');
  return answer.why;
}
