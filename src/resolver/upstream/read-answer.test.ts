import assert from 'node:assert/strict';
import { test } from 'node:test';
import { a, answerTo, cname, question, readQuery, record } from '../../../test/support/resolver/upstream/messages.ts';
import { rcodes, types } from '../../dns/numbers.ts';
import { readAnswer } from './read-answer.ts';
import { queryBytes } from './upstream-query.ts';

const asked = question('www.example.com');
const query = readQuery(queryBytes(asked, { id: 7, edns: true }));
const read = (...[more]: [Parameters<typeof answerTo>[1]?]) =>
  readAnswer(answerTo(query, more), { question: asked, trusted: false });

test('a chain of eight aliases is passed on whole', () => {
  const chain = [
    cname('www.example.com', 'c1.example'),
    ...[1, 2, 3, 4, 5, 6, 7].map((link) => cname(`c${link}.example`, `c${link + 1}.example`)),
  ];
  const outcome = read({ answer: [...chain, a('c8.example')] });
  assert.ok(outcome.kind === 'answer');
  assert.equal(outcome.message.answer.length, 9);
});

test('twenty aliases, a circle, and an alias of itself are answers not to be used', () => {
  const long = Array.from({ length: 20 }, (_, link) =>
    cname(link === 0 ? 'www.example.com' : `c${link}.example`, `c${link + 1}.example`),
  );
  const circle = [cname('www.example.com', 'b.example'), cname('b.example', 'www.example.com')];
  for (const answer of [long, circle, [cname('www.example.com', 'www.example.com')]])
    assert.equal(read({ answer }).kind, 'bad');
});

test('four thousand records of one name are refused in little time', () => {
  const answer = Array.from({ length: 4000 }, (_, index) => a('www.example.com', `10.0.${index >> 8}.${index & 255}`));
  const begun = process.cpuUsage();
  assert.equal(read({ answer }).kind, 'bad');
  const { user, system } = process.cpuUsage(begun);
  assert.ok((user + system) / 1000 < 500, `${(user + system) / 1000} ms, with writing it`);
});

test('a TTL with the top bit set is a long one and not a negative one', () => {
  for (const ttl of [2 ** 31, 2 ** 32 - 1]) {
    const outcome = read({ answer: [a('www.example.com', '192.0.2.1', ttl)] });
    assert.ok(outcome.kind === 'answer');
    assert.equal(outcome.message.answer[0]!.ttl, 604_800);
  }
});

test('a TTL of 0 stays 0', () => {
  const outcome = read({ answer: [a('www.example.com', '192.0.2.1', 0)] });
  assert.ok(outcome.kind === 'answer');
  assert.equal(outcome.message.answer[0]!.ttl, 0);
});

test('labels with dots and zeros in them stay as they are', () => {
  const odd = Uint8Array.from([3, 97, 46, 98, 2, 0, 255, 0]);
  const outcome = read({ answer: [record('www.example.com', types.CNAME, odd)] });
  assert.ok(outcome.kind === 'answer');
  assert.deepEqual(outcome.message.answer[0]!.data, odd);
});

test('NXDOMAIN with an alias before it keeps both', () => {
  const outcome = read({ rcode: rcodes.NXDOMAIN, answer: [cname('www.example.com', 'gone.example')] });
  assert.ok(outcome.kind === 'answer');
  assert.equal(outcome.message.rcode, rcodes.NXDOMAIN);
  assert.equal(outcome.message.answer.length, 1);
});

test('records of unknown types and malformed service bindings are passed on unchanged', () => {
  const https = question('www.example.com', { type: types.HTTPS });
  const asking = readQuery(queryBytes(https, { id: 7, edns: true }));
  const odd = Uint8Array.from([0, 1, 0, 0, 4, 0, 99, 1]);
  const outcome = readAnswer(answerTo(asking, { answer: [record('www.example.com', types.HTTPS, odd)] }), {
    question: https,
    trusted: false,
  });
  assert.ok(outcome.kind === 'answer');
  assert.deepEqual(outcome.message.answer[0]!.data, odd);
});

test('the result shares no memory with the packet’s Buffer', () => {
  const outcome = readAnswer(Buffer.from(answerTo(query)), { question: asked, trusted: false });
  assert.ok(outcome.kind === 'answer');
  for (const { name: owner, data } of outcome.message.answer)
    assert.ok(!Buffer.isBuffer(owner) && !Buffer.isBuffer(data));
});
