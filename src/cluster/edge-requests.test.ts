import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/app/temporary-folder.ts';
import { until } from '../../test/support/kit/until.ts';
import type { FromDns } from '../dns-server/thread-messages.ts';
import { ControllerError } from './controller-client.ts';
import { type EdgeRequestsDeps, edgeRequests } from './edge-requests.ts';
import { savedRequestsPath } from './saved-requests.ts';

const proofOf = (device: string): FromDns =>
  ({ kind: 'prove address', account: 'a', device, address: '192.0.2.1' }) as never;

type Body = { readonly id: string; readonly device: string };

/** A controller that fails until `fails` is set to false. */
function controller() {
  const received: Body[] = [];
  const state = { fails: true, refuses: '' };
  const json = async (_method: string, _path: string, { body }: { body?: object } = {}) => {
    const sent = body as Body;
    received.push(sent);
    if (sent.device === state.refuses) throw new ControllerError('invalid request', { status: 400 });
    if (state.fails) throw new Error('unreachable');
    return { isApplied: true, revision: 8 };
  };
  return { received, state, client: { json: json as EdgeRequestsDeps['client']['json'] } };
}

async function opened(t: TestContext, deps: Partial<EdgeRequestsDeps> & Pick<EdgeRequestsDeps, 'client'>) {
  const dropped: FromDns[] = [];
  const requests = await edgeRequests({
    reached: async () => undefined,
    file: savedRequestsPath(await temporaryFolder(t)),
    onDropped: (request) => dropped.push(request),
    onProblem: (problem) => assert.fail(String(problem)),
    retryMs: 1,
    ...deps,
  });
  return { requests, dropped };
}

test('a request that cannot be sent is retried with the same id until the controller receives it', async (t) => {
  const { client, state, received } = controller();
  const reached: number[] = [];
  const { requests, dropped } = await opened(t, { client, reached: async (revision) => void reached.push(revision) });
  assert.equal(await requests.change(proofOf('0badcafe')), false);
  assert.equal(requests.waiting(), 1);
  await until('a retry', () => received.length > 1);
  state.fails = false;
  await until('no request waits', () => requests.waiting() === 0);
  assert.deepEqual([reached, dropped], [[8], []]);
  assert.equal(new Set(received.map(({ id }) => id)).size, 1);
  await requests.stop();
});

test('requests survive a restart with their ids, and are dropped after a day', async (t) => {
  const file = savedRequestsPath(await temporaryFolder(t));
  const { client, state, received } = controller();
  let time = 1000;
  const given = { client, file, now: () => time, retryMs: 3_600_000 };
  const first = await opened(t, given);
  await first.requests.change(proofOf('00000001'));
  time += 60_000;
  await first.requests.change(proofOf('00000002'));
  await first.requests.stop();
  const ids = received.splice(0).map(({ id }) => id);

  const second = await opened(t, { ...given, retryMs: 1 });
  assert.equal(second.requests.waiting(), 2);
  await until('a retry', () => received.length > 0);
  await second.requests.stop();
  assert.equal(received[0]!.id, ids[0]);

  time = 1000 + 24 * 3_600_000 + 1;
  state.fails = false;
  received.length = 0;
  const third = await opened(t, { ...given, retryMs: 1 });
  await until('no request waits', () => third.requests.waiting() === 0);
  assert.deepEqual(third.dropped, [proofOf('00000001')]);
  assert.deepEqual(
    received.map(({ id, device }) => [id, device]),
    [[ids[1], '00000002']],
  );
  await third.requests.stop();
  assert.equal((await opened(t, given)).requests.waiting(), 0);
});

test('a request that the controller rejects is dropped and does not delay the others', async (t) => {
  const { client, state } = controller();
  const { requests, dropped } = await opened(t, { client });
  for (const device of ['bad', 'good']) await requests.change(proofOf(device));
  assert.equal(requests.waiting(), 2);
  state.refuses = 'bad';
  state.fails = false;
  await until('no request waits', () => requests.waiting() === 0);
  assert.deepEqual(dropped, [proofOf('bad')]);
  assert.equal(await requests.change(proofOf('bad')), false);
  assert.deepEqual([requests.waiting(), dropped.length], [0, 2]);
  await requests.stop();
});

test('at most 1,000 requests are pending', async (t) => {
  const { client } = controller();
  const { requests, dropped } = await opened(t, { client, retryMs: 3_600_000 });
  for (let nth = 0; nth < 1001; nth += 1) await requests.change(proofOf(String(nth)));
  assert.deepEqual([requests.waiting(), dropped], [1000, [proofOf('1000')]]);
  await requests.stop();
});

test('a damaged file of requests is reported, and the edge continues without it', async (t) => {
  const file = savedRequestsPath(await temporaryFolder(t));
  await writeFile(file, '{"requests":[{');
  const problems: unknown[] = [];
  const { requests } = await opened(t, {
    client: controller().client,
    file,
    onProblem: (problem) => problems.push(problem),
  });
  assert.deepEqual([requests.waiting(), problems.length], [0, 1]);
});
