import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome, startDns, until } from './support/dns.ts';
import { freePort } from './support/kit/ports.ts';
import { dnsmasqOptions, missing, startProgram } from './support/programs.ts';

test('a forwarding loop: queries fail at once, and the log has the reason', {
  skip: missing('dnsmasq', 'dig', 'kdig'),
}, async (t) => {
  const port = await freePort();
  const service = await startDns(t, `127.0.0.1:${port}`);
  const home = await makeHome(service);
  const { id } = await home.device('router');
  const where = [`--port=${port}`, '--listen-address=127.0.0.1', '--bind-interfaces'];
  const there = [`--server=127.0.0.1#${service.ports.dns}`, `--add-cpe-id=${id}`];
  startProgram(t, 'dnsmasq', [...dnsmasqOptions, ...where, ...there]);
  let asked = 0;
  const told = await until('the log line of the loop, and a failure at once', async () => {
    const begun = performance.now();
    const { status } = await home.dug(id, 'udp', `round${asked++}.circle.example.com`);
    assert.equal(status, 'SERVFAIL');
    // The duration is not asserted, because a busy machine may delay a round.
    const isAtOnce = performance.now() - begun < 4000;
    return isAtOnce && service.log.find(({ msg }) => String(msg).startsWith('forwarding loop'));
  });
  assert.match(String(told['msg']), /circle\.example\.com/);
});
