import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extendedErrorOption } from '../../dns/edns.ts';
import { queryFor } from '../../dns/message.ts';
import { readMessage } from '../../dns/read-message.ts';
import { writeMessage } from '../../dns/write-message.ts';
import { wireName } from '../../kit/wire-name.ts';
import { readJsonQuestion, writeJson } from './doh-json.ts';

function asked(search: string) {
  const question = readJsonQuestion(search);
  if (!question.ok) return question.error;
  const message = readMessage(question.value.bytes);
  assert.ok(message.ok);
  const { id, recursionDesired, checkingDisabled, edns, questions } = message.value;
  assert.deepEqual([id, recursionDesired, questions.length, questions[0]!.class], [0, true, 1, 1]);
  const { name, type } = questions[0]!;
  return { name, type, form: question.value.form, do: edns?.dnssecOk, cd: checkingDisabled };
}

const plain = { name: wireName('example.org')!, type: 1, form: 'json', do: false, cd: false };

test('the parameters become a query', () => {
  assert.deepEqual(asked('name=example.org'), plain);
  assert.deepEqual(asked('name=example.org.&type=AAAA'), { ...plain, type: 28 });
  assert.deepEqual(asked('name=example.org&type=https'), { ...plain, type: 65 });
  assert.deepEqual(asked('name=example.org&type=65535'), { ...plain, type: 65535 });
  assert.deepEqual(asked('name=example.org&type=TYPE65'), { ...plain, type: 65 });
  assert.deepEqual(asked('name=example.org&do=1&cd=true'), { ...plain, do: true, cd: true });
  assert.deepEqual(asked('name=example.org&do=0&cd=false&type='), plain);
  assert.deepEqual(asked('name=example.org&ct=application%2Fdns-message'), { ...plain, form: 'message' });
  assert.deepEqual(asked('name=.&type=NS&edns_client_subnet=1.2.3.0/24&random_padding=xxx'), {
    ...plain,
    name: wireName('.')!,
    type: 2,
  });
});

test('errors have a message', () => {
  assert.match(asked('') as string, /name is missing/);
  assert.match(asked('name=') as string, /name is missing/);
  for (const name of ['a..b', `${'a'.repeat(64)}.org`, 'a.'.repeat(200), 'b%C3%BCcher.example'])
    assert.match(asked(`name=${name}`) as string, /not a domain name/, name);
  for (const type of ['0', '65536', '-1', '1.5', 'NONSENSE', '99999999999'])
    assert.match(asked(`name=a&type=${type}`) as string, /neither a record type nor its number/, type);
  assert.match(asked('name=a&do=maybe') as string, /0 or 1/);
  assert.match(asked('name=a&cd=__proto__') as string, /0 or 1/);
  assert.match(asked('name=a&ct=text/html') as string, /application\/dns-json/);
  assert.match(asked('name=a&ct=constructor') as string, /application\/dns-json/);
});

test('an answer as Google and Cloudflare show theirs', () => {
  const name = wireName('example.org')!;
  const bytes = writeMessage({
    ...queryFor({ name, type: 1, class: 1 }, 0, {
      udpSize: 1232,
      version: 0,
      dnssecOk: false,
      options: [extendedErrorOption({ code: 15, text: 'blocked' })],
    }),
    response: true,
    recursionAvailable: true,
    answer: [{ name, type: 1, class: 1, ttl: 300, data: Uint8Array.of(192, 0, 2, 1) }],
  });
  assert.deepEqual(JSON.parse(writeJson(bytes)!), {
    Status: 0,
    TC: false,
    RD: true,
    RA: true,
    AD: false,
    CD: false,
    Question: [{ name: 'example.org.', type: 1 }],
    Answer: [{ name: 'example.org.', type: 1, TTL: 300, data: '192.0.2.1' }],
    extended_dns_errors: [{ info_code: 15, extra_text: 'blocked' }],
  });
});

test('a message that is not an answer is not converted to JSON', () => {
  assert.equal(writeJson(Uint8Array.of(1, 2, 3)), undefined);
});
