import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome, startDns, until } from './support/dns.ts';
import { startWorld, worldOf } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

const MAX_STREAMS = 8;

test('the live log sends queries as they happen, filtered like the log', {
  skip: missing('dig'),
}, async (t) => {
  const upstream = await startWorld(t, worldOf([]));
  const home = await makeHome(await startDns(t, upstream.address));
  const { authorization, service } = home;
  const live = (query = '', headers: Record<string, string> = { authorization }) =>
    fetch(`${service.url}/api/v1/query_log/live${query}`, { headers });
  assert.equal((await live('', {})).status, 401);
  assert.equal((await live('?statuses=NONSENSE')).status, 400);

  const [phone, laptop] = [await home.device('phone'), await home.device('laptop')];
  await home.set({ user_rules_settings: { enabled: true, rules: ['||ads.example.com^'] } });
  const answer = await live(`?devices=${phone.id}&statuses=REQUEST_BLOCKED`);
  assert.equal(answer.headers.get('content-type'), 'text/event-stream');
  let text = '';
  const reading = (async () => {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })();
  await until('the stream to begin', () => text.includes('retry:') || undefined);
  for (const { id } of [phone, laptop])
    for (const name of ['ads.example.com', 'open.example.com']) await home.dug(id, 'udp', name);
  // Logged rows were already sent to clients. Rows that are read together are ordered by thread, not by time.
  await home.logged('example.com', 4);
  await home.dug(phone.id, 'udp', 'last.ads.example.com');
  await until('the last query', () => text.includes('last.ads.example.com') || undefined);
  const told = text.split('\n').filter((line) => line.startsWith('data: '));
  assert.deepEqual(
    told.map((line) => JSON.parse(line.slice(6))).map(({ domain, device_id }) => [domain, device_id]),
    [
      ['ads.example.com', phone.id],
      ['last.ads.example.com', phone.id],
    ],
  );

  const others = await Promise.all(Array.from({ length: MAX_STREAMS - 1 }, () => live()));
  assert.ok(others.every(({ status }) => status === 200));
  assert.equal((await live()).status, 429);
  await others[0]!.body!.cancel();
  await until('room for another', async () => {
    const { status, body } = await live();
    await body!.cancel();
    return status === 200 || undefined;
  });
  assert.equal(await service.stop(), 0);
  await reading;
});
