import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classes, rcodes, types } from '../../dns/numbers.ts';
import { readMessage } from '../../dns/read-message.ts';
import { writeMessage } from '../../dns/write-message.ts';
import { nameText, wireName } from '../../kit/wire-name.ts';
import { answerLocally } from './local-zones.ts';

const ask = (name: string, type: number = types.A) => answerLocally({ name: wireName(name)!, type, class: classes.IN });

const nowhere = [
  'test',
  'a.test',
  'printer.local',
  'expyuzz4wqqyqhjn.onion',
  'x.alt',
  'nas.home.arpa',
  'x.invalid',
  '_dns.resolver.arpa',
  '5.1.168.192.in-addr.arpa',
  '1.2.3.10.in-addr.arpa',
  '1.1.16.172.in-addr.arpa',
  '1.1.31.172.in-addr.arpa',
  '1.1.64.100.in-addr.arpa',
  '1.1.127.100.in-addr.arpa',
  '9.9.254.169.in-addr.arpa',
  '5.0.0.127.in-addr.arpa',
  '1.0.0.d.f.ip6.arpa',
  '1.0.8.e.f.ip6.arpa',
];
for (const name of nowhere)
  test(`${name} is not sent upstream, and does not exist`, () => {
    const answer = ask(name, types.TXT)!;
    assert.equal(answer.rcode, name === 'test' ? rcodes.NOERROR : rcodes.NXDOMAIN);
    assert.deepEqual(answer.answer, []);
    assert.deepEqual(
      answer.authority.map(({ type, ttl }) => ({ type, ttl })),
      [{ type: types.SOA, ttl: 10_800 }],
    );
  });

test('the SOA has the zone as its primary server and the mailbox of RFC 6303', () => {
  const { data } = ask('nas.home.arpa')!.authority[0]!;
  const zone = wireName('home.arpa')!;
  assert.equal(nameText(data, 0), 'home.arpa');
  assert.equal(nameText(data, zone.length), 'nobody.invalid');
});

const elsewhere = [
  'example',
  'www.example.com',
  'localhost.example.com',
  'test.example',
  'contest',
  '.',
  'arpa',
  'in-addr.arpa',
  '8.8.8.8.in-addr.arpa',
  '1.1.15.172.in-addr.arpa',
  '1.1.32.172.in-addr.arpa',
  '1.1.63.100.in-addr.arpa',
  '1.1.128.100.in-addr.arpa',
  '110.in-addr.arpa',
  'ipv4only.arpa',
  '1.0.0.2.ip6.arpa',
];
for (const name of elsewhere) test(`${name} is sent upstream`, () => assert.equal(ask(name), undefined));

test('localhost and all under it is this machine', () => {
  for (const name of ['localhost', 'app.localhost']) {
    assert.deepEqual([...ask(name)!.answer[0]!.data], [127, 0, 0, 1]);
    assert.deepEqual([...ask(name, types.AAAA)!.answer[0]!.data].at(-1), 1);
    const other = ask(name, types.TXT)!;
    assert.equal(other.rcode, rcodes.NOERROR);
    assert.equal(other.answer.length, 0);
    assert.equal(nameText(other.authority[0]!.name, 0), 'localhost');
  }
});

test('the loopback addresses are called localhost', () => {
  for (const name of ['1.0.0.127.in-addr.arpa', `1.${'0.'.repeat(31)}ip6.arpa`])
    assert.equal(nameText(ask(name, types.PTR)!.answer[0]!.data, 0), 'localhost');
  assert.equal(ask('1.0.0.127.in-addr.arpa', types.A)!.rcode, rcodes.NOERROR);
  // Empty non-terminals exist, without records.
  assert.equal(ask('0.0.127.in-addr.arpa', types.PTR)!.rcode, rcodes.NOERROR);
  assert.equal(ask('0.127.in-addr.arpa', types.PTR)!.rcode, rcodes.NOERROR);
});

test('a zone answers for its SOA', () => {
  assert.equal(ask('10.in-addr.arpa', types.SOA)!.answer.length, 1);
  assert.equal(nameText(ask('10.in-addr.arpa', types.NS)!.answer[0]!.data, 0), '10.in-addr.arpa');
});

test('other classes than the Internet are not looked at', () => {
  assert.equal(answerLocally({ name: wireName('version.test')!, type: types.TXT, class: classes.CH }), undefined);
});

test('every answer can be sent and read', () => {
  for (const name of [...nowhere, 'localhost']) {
    const answer = ask(name)!;
    const read = readMessage(writeMessage(answer));
    assert.ok(read.ok);
    assert.deepEqual(read.value, answer);
  }
});
