import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import { makeHome, startDns } from './dns-for-tests.ts';
import { startWorld } from './dns-upstream-for-tests.ts';
import { missing } from './programs-for-tests.ts';

// This machine itself is exempt by its loopback addresses, so the questions come from another address of it.
const own = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
const needs = { skip: missing('dig') || (own === undefined && 'this machine has no address but its own') };

const LIMIT = 20;

test(
  'a network has as many queries of UDP as the settings say, known or not, and as many of TCP as it likes',
  needs,
  async () => {
    const world = await startWorld({ after });
    const flags = ['--dns', `${own}:0`, '--queries-per-ten-seconds', `${LIMIT}`];
    const home = await makeHome(await startDns({ after }, world.address, flags));
    const { id } = await home.device('asking much');
    const at = `@${own}`;
    const names = Array.from({ length: LIMIT }, (_, number) => `name-${number}.example.com`);
    for (const dug of await Promise.all(names.map((name) => home.dug(id, 'udp', at, '+ignore', name)))) {
      assert.ok(!dug.flags.includes('tc'));
      assert.equal(dug.status, 'NOERROR');
    }
    const more = Array.from({ length: 3 * LIMIT }, () =>
      home.dig(id, 'udp', at, '+ignore', '+time=1', 'name-1.example.com'),
    );
    const answers = await Promise.all(more);
    assert.ok(answers.filter((dug) => dug === undefined).length > LIMIT / 2, 'some are dropped');
    assert.ok(
      answers.some((dug) => dug?.flags.includes('tc')),
      'some are told to come by TCP',
    );
    for (const name of names) assert.equal((await home.dug(id, 'tcp', at, name)).status, 'NOERROR');
  },
);
