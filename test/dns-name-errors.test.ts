import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Message, queryFor } from '../src/dns/message.ts';
import { classes, rcodes, types } from '../src/dns/numbers.ts';
import { readMessage } from '../src/dns/read-message.ts';
import { zoneAuthorityData } from '../src/dns/record-data.ts';
import { writeMessage } from '../src/dns/write-message.ts';
import type { Over } from './support/dig.ts';
import { a, answerTo, cname, name, type Query, record } from './support/resolver/upstream/messages.ts';
import { type OnDatagram, startUpstream } from './support/resolver/upstream/upstream.ts';
import { askersOf, startForEverybody } from './support/resolver.ts';

const MINIMUM = 60;
const soa = record(
  'example',
  types.SOA,
  zoneAuthorityData({
    primary: 'ns.example',
    mailbox: 'admin.example',
    serial: 1,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: MINIMUM,
  })!,
);

/** Names below `missing` do not exist; `alias.example` leads to one of them. */
const zone: OnDatagram = (query, reply) => {
  if (query.name.endsWith('missing.example'))
    reply(answerTo(query, { rcode: rcodes.NXDOMAIN, answer: [], authority: [soa] }));
  else if (query.name === 'alias.example') reply(answerTo(query, aliasToMissing(query)));
  else if (query.name === 'v4.example' && query.message.questions[0]!.type !== types.A)
    reply(answerTo(query, { answer: [], authority: [soa] }));
  else reply(answerTo(query));
};

const aliasToMissing = ({ message }: Query): Partial<Message> => {
  const alias = cname('alias.example', 'target.missing.example');
  return message.questions[0]!.type === types.CNAME
    ? { answer: [alias] }
    : { rcode: rcodes.NXDOMAIN, answer: [alias], authority: [soa] };
};

async function start(t: Parameters<typeof startUpstream>[0]) {
  const server = await startUpstream(t, { udp: zone });
  const home = await startForEverybody(t, server.text, ['--udp-threads', '1']);
  const askers = askersOf(home.service);
  const ask = async (over: Over, domain: string, type: number, dnssecOk = false): Promise<Message> => {
    const edns = { udpSize: 1232, version: 0, dnssecOk, options: [] };
    const heard = await askers[over](
      writeMessage(queryFor({ name: name(domain), type, class: classes.IN }, 7, edns)),
      9_000,
    );
    assert.equal(heard.kind, 'answer', `${domain} over ${over}`);
    const read = readMessage(Uint8Array.from(heard.kind === 'answer' ? heard.bytes : []));
    assert.ok(read.ok);
    return read.value;
  };
  // The first query of a client is answered by the resolver thread, later ones by the UDP thread.
  await ask('udp', 'first.example', types.A);
  return { ask, asked: (domain: string) => server.udpQueries.filter((one) => one.name === domain).length };
}

function assertNameError({ rcode, answer, authority, questions }: Message, type: number): void {
  assert.equal(rcode, rcodes.NXDOMAIN);
  assert.deepEqual(answer, []);
  assert.deepEqual(
    authority.map((each) => each.type),
    [types.SOA],
  );
  assert.ok(authority[0]!.ttl <= MINIMUM && authority[0]!.ttl > MINIMUM - 10, `TTL ${authority[0]!.ttl}`);
  assert.equal(questions[0]!.type, type);
}

for (const [first, then] of [
  ['udp', ['udp', 'tcp', 'dot', 'doh']],
  ['tcp', ['udp', 'tcp']],
] as const)
  test(`a name that does not exist is asked upstream once, first over ${first}, and has no record of any type`, async (t) => {
    const { ask, asked } = await start(t);
    assertNameError(await ask(first, 'Missing.example', types.A), types.A);
    for (const over of then)
      for (const type of [types.AAAA, types.HTTPS, types.TXT, types.A])
        assertNameError(await ask(over, 'missing.Example', type), type);
    assert.equal(asked('missing.example'), 1);
    // Signatures are asked for separately.
    assertNameError(await ask('udp', 'missing.example', types.AAAA, true), types.AAAA);
    assertNameError(await ask('tcp', 'missing.example', types.A, true), types.A);
    assert.equal(asked('missing.example'), 2);
  });

test('an alias whose target does not exist, and a name without records of one type, have records of other types', async (t) => {
  const { ask, asked } = await start(t);
  assert.equal((await ask('udp', 'alias.example', types.A)).rcode, rcodes.NXDOMAIN);
  for (const over of ['udp', 'tcp'] as const) {
    const { rcode, answer } = await ask(over, 'alias.example', types.CNAME);
    assert.equal(rcode, rcodes.NOERROR);
    assert.deepEqual(
      answer.map(({ type }) => type),
      [types.CNAME],
    );
  }
  assert.equal(asked('alias.example'), 2);
  assert.deepEqual((await ask('udp', 'v4.example', types.AAAA)).answer, []);
  assert.deepEqual((await ask('udp', 'v4.example', types.A)).answer[0]?.data, a('v4.example').data);
});
