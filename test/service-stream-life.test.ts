import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { startService } from './support/service.ts';
import { post, untilAwaited } from './support/service-contract.ts';
import { patientOrigin } from './support/service-origins.ts';
import { openStream, parseEvents } from './support/service-raw.ts';

const service = await startService({ after }, [
  '--requests-per-minute',
  '1000',
  '--allow-source-address',
  '127.0.0.1/32',
]);
const bodyFor = (source: string): object => ({ configuration: { name: 'Slow', sources: [{ source }] } });

test('events come as they happen, not at the end', async (t) => {
  const origin = await patientOrigin(t);
  const stream = await openStream(service, bodyFor(origin.url));
  const early = await stream.until('source:start');
  assert(!early.some(({ event }) => event === 'source:complete'));
  await origin.answer('||late.example^');
  const events = parseEvents(await stream.rest());
  assert.equal(events.at(-1)?.event, 'done');
});

test('when the client of a stream leaves, the connection to its source is closed', async (t) => {
  const origin = await patientOrigin(t);
  const stream = await openStream(service, bodyFor(origin.url));
  await stream.until('source:start');
  await origin.isAsked();
  const closed = once(origin.connections[0]!, 'close');
  stream.leave();
  await closed;
});

test('a stream that joins another one gets all events from the beginning, with its own ids', async (t) => {
  const origin = await patientOrigin(t);
  const first = await openStream(service, bodyFor(origin.url));
  await first.until('source:start');
  const second = await openStream(service, bodyFor(origin.url));
  await second.until('source:start');
  await origin.answer('||shared.example^');
  const [all, same] = await Promise.all([first.rest(), second.rest()]);
  assert.equal(origin.waiting.length, 1);
  assert.equal(parseEvents(all)[0]?.data['message'], 'Starting the compiler');
  assert.equal(same, all);
});

test('the second stream continues when the first one disconnects', async (t) => {
  const origin = await patientOrigin(t);
  const first = await openStream(service, bodyFor(origin.url));
  await first.until('source:start');
  const second = await openStream(service, bodyFor(origin.url));
  await second.until('source:start');
  first.leave();
  await untilAwaited(service, 1);
  await origin.answer('||still.example^');
  const events = parseEvents(await second.rest());
  assert.equal(events.at(-1)?.event, 'done');
  assert.equal(origin.waiting.length, 1);
});

test('a compilation and a stream of the same list share one reading of it', async (t) => {
  const origin = await patientOrigin(t);
  const stream = await openStream(service, bodyFor(origin.url));
  await stream.until('source:start');
  const compiled = post(service, '/compile', bodyFor(origin.url));
  await untilAwaited(service, 2);
  await origin.answer('||both.example^');
  const { headers, json } = await compiled;
  assert.equal(headers.get('x-request-deduplication'), 'HIT');
  assert.equal(json.deduplicated, true);
  const result = parseEvents(await stream.rest()).at(-2)!.data;
  assert.deepEqual(result['rules'], json.rules);
  assert.equal(origin.waiting.length, 1);
});
