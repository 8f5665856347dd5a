import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateAuthority } from '../../../test/support/resolver/upstream/certificates.ts';
import {
  a,
  addressesOf,
  answerTo,
  cname,
  question,
  record,
  whyFailed,
} from '../../../test/support/resolver/upstream/messages.ts';
import { now, openOne } from '../../../test/support/resolver/upstream/one-upstream.ts';
import {
  type OnDatagram,
  silence,
  startTlsUpstream,
  startUpstream,
} from '../../../test/support/resolver/upstream/upstream.ts';
import { openAll } from '../../../test/support/resolver/upstream/upstreams.ts';
import { types } from '../../dns/numbers.ts';
import { lookupByServers } from './bootstrap.ts';

const telling =
  (...addresses: string[]): OnDatagram =>
  (query, reply) =>
    reply(
      answerTo(query, {
        answer: query.message.questions[0]!.type === types.A ? addresses.map((address) => a(query.name, address)) : [],
      }),
    );

test('both address families are returned, IPv4 first, also over aliases', async (t) => {
  const server = await startUpstream(t, {
    udp: (query, reply) => {
      const alias = cname(query.name, 'real.example');
      const v6 = record(
        'real.example',
        types.AAAA,
        Uint8Array.from([0x20, 1, 0xd, 0xb8, ...new Uint8Array(11), 1]),
        60,
      );
      reply(
        answerTo(query, {
          answer: [alias, query.message.questions[0]!.type === types.A ? a('real.example', '192.0.2.7') : v6],
        }),
      );
    },
  });
  const lookup = lookupByServers([openOne(t, server.text)]);
  assert.deepEqual(await lookup('dns.example'), { addresses: ['192.0.2.7', '2001:db8::1'], ttlSeconds: 60 });
});

test('the next server is queried if one is silent, within a total time limit', async (t) => {
  const gone = await startUpstream(t, { udp: silence });
  const good = await startUpstream(t, { udp: telling('192.0.2.7') });
  const both = lookupByServers([openOne(t, gone.text), openOne(t, good.text)], 400);
  assert.deepEqual((await both('dns.example')).addresses, ['192.0.2.7']);
  const begun = now();
  await assert.rejects(
    lookupByServers([openOne(t, gone.text)], 300)('dns.example'),
    /bootstrap servers returned no address/,
  );
  assert.ok(now() - begun < 700);
});

test('the host of an upstream is looked up by the bootstrap server, and its certificate checked by name', async (t) => {
  const authority = certificateAuthority();
  const server = await startTlsUpstream(t, authority.issue('dns.example'));
  const bootstrap = await startUpstream(t, { udp: telling('127.0.0.1') });
  const upstreams = [`tls://dns.example:${server.port}`];
  const { resolve } = openAll(
    t,
    { upstreams, bootstrap: [bootstrap.text] },
    { ca: [authority.cert], lookup: () => assert.fail('the system was asked') },
  );
  assert.deepEqual(addressesOf(await resolve(question('example.com'))), ['192.0.2.1']);
  await resolve(question('other.example'));
  assert.equal(bootstrap.udpQueries.length, 2);
});

test('without a bootstrap server the system resolver is used', async (t) => {
  const server = await startUpstream(t);
  const asked: string[] = [];
  const lookup = async (host: string) => {
    asked.push(host);
    return { addresses: ['127.0.0.1'], ttlSeconds: 60 };
  };
  const { resolve } = openAll(t, { upstreams: [`dns.example:${server.port}`] }, { lookup });
  assert.deepEqual(addressesOf(await resolve(question('example.com'))), ['192.0.2.1']);
  assert.deepEqual(asked, ['dns.example']);
});

test('when the host has moved, its name is looked up again', async (t) => {
  const server = await startUpstream(t);
  let address = '127.0.0.9';
  const lookup = async () => ({ addresses: [address], ttlSeconds: 3600 });
  const clock = { aheadMs: 0 };
  const { resolve } = openAll(
    t,
    { upstreams: [`tcp://dns.example:${server.port}`], timeoutMs: 1000 },
    { lookup, now: () => now() + clock.aheadMs },
  );
  assert.equal(whyFailed(await resolve(question('a.example'))), 'unreachable');
  address = '127.0.0.1';
  clock.aheadMs += 1000;
  assert.equal(whyFailed(await resolve(question('b.example'))), 'unreachable');
  assert.deepEqual(addressesOf(await resolve(question('c.example'))), ['192.0.2.1']);
});

test('a host that cannot be found is a failure in the time of the question', async (t) => {
  const { resolve } = openAll(
    t,
    { upstreams: ['dns.example', 'tls://dns.example'], timeoutMs: 400 },
    { lookup: () => new Promise(() => {}) },
  );
  const begun = now();
  assert.equal(whyFailed(await resolve(question('example.com'))), 'timeout');
  assert.ok(now() - begun < 800);
});

test('a host that resolves to this program is not queried', async (t) => {
  const server = await startUpstream(t);
  const { resolve } = openAll(
    t,
    { upstreams: [`dns.example:${server.port}`], timeoutMs: 500 },
    {
      lookup: async () => ({ addresses: ['127.0.0.1'], ttlSeconds: 60 }),
      listening: [{ address: '127.0.0.1', port: server.port }],
    },
  );
  assert.equal(whyFailed(await resolve(question('example.com'))), 'loop');
  assert.equal(server.udpQueries.length, 0);
});
