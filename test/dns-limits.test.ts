import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const needs = { skip: missing('dig') };

const LIMIT = 20;

test(
  'an address has the configured number of queries over UDP, known or not, and no limit over TCP',
  needs,
  async () => {
    const world = await startWorld({ after });
    const flags = ['--unlimited-clients', '192.0.2.0/24', '--queries-per-ten-seconds', `${LIMIT}`];
    const home = await makeHome(await startDns({ after }, world.address, flags));
    const { id } = await home.device('asking much');
    const names = Array.from({ length: LIMIT }, (_, number) => `name-${number}.example.com`);
    for (const dug of await Promise.all(names.map((name) => home.dug(id, 'udp', '+ignore', name)))) {
      assert.ok(!dug.flags.includes('tc'));
      assert.equal(dug.status, 'NOERROR');
    }
    const more = Array.from({ length: 3 * LIMIT }, () =>
      home.dig(id, 'udp', '+ignore', '+time=1', 'name-1.example.com'),
    );
    const answers = await Promise.all(more);
    assert.ok(answers.filter((dug) => dug === undefined).length > LIMIT / 2, 'some are dropped');
    assert.ok(
      answers.some((dug) => dug?.flags.includes('tc')),
      'some are told to come by TCP',
    );
    const neighbour = await home.dug(id, 'udp', '+ignore', '-b', '127.0.0.9', 'name-1.example.com');
    assert.ok(!neighbour.flags.includes('tc'), 'other addresses of the network are not affected');
    for (const name of names) assert.equal((await home.dug(id, 'tcp', name)).status, 'NOERROR');
  },
);
