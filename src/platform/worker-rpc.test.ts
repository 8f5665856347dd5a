import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { TestRequest } from '../../test/support/platform/rpc-worker.ts';
import { createRpc, onThreadEnd } from './worker-rpc.ts';

function startThread(t: TestContext) {
  const worker = new Worker(new URL('../../test/support/platform/rpc-worker.ts', import.meta.url));
  t.after(() => worker.terminate());
  const rpc = createRpc<TestRequest, never>(worker, () => undefined);
  onThreadEnd(worker, rpc.lost);
  return rpc;
}

test('a call resolves to the reply to its own request', async (t) => {
  const { call } = startThread(t);
  const values = [1, 'two', { three: 3 }, undefined];
  assert.deepEqual(await Promise.all(values.map((value) => call({ do: 'return', value }))), values);
});

test('memory is moved in both directions', async (t) => {
  const { call } = startThread(t);
  const bytes = new Uint8Array([1, 2, 3]);
  const moved = call<Uint8Array>({ do: 'move', bytes }, { transfer: [bytes.buffer] });
  assert.equal(bytes.byteLength, 0);
  assert.deepEqual(await moved, new Uint8Array([1, 2, 3]));
  assert.equal(await call({ do: 'return size of moved' }), 0);
});

test('events arrive in order and before the reply', async (t) => {
  const { call } = startThread(t);
  const heard: string[] = [];
  const onEvent = (word: string): void => void heard.push(word);
  assert.equal(await call<number, string>({ do: 'emit', words: ['a', 'b', 'c'] }, { onEvent }), 3);
  assert.deepEqual(heard, ['a', 'b', 'c']);
});

test('an error keeps its message, code and stack, and the thread answers further requests', async (t) => {
  const { call } = startThread(t);
  await assert.rejects(call({ do: 'fail', code: 'EADDRINUSE' }), {
    message: 'failed on purpose',
    code: 'EADDRINUSE',
    stack: /rpc-worker\.ts/,
  });
  await assert.rejects(call({ do: 'return a function' }), /could not be cloned/);
  await assert.rejects(call({ do: 'return', value: () => undefined }), /could not be cloned/);
  assert.equal(await call({ do: 'return', value: 1 }), 1);
});

test('the thread can end the work of an aborted call', async (t) => {
  const { call } = startThread(t);
  const stop = new AbortController();
  const onEvent = (): void => stop.abort();
  assert.equal(await call({ do: 'wait for abort' }, { signal: stop.signal, onEvent }), 'aborted');
  await assert.rejects(call({ do: 'return', value: 1 }, { signal: stop.signal }), { name: 'AbortError' });
});

test('pending and later calls fail when the thread ends', async (t) => {
  for (const [request, error] of [
    [{ do: 'exit' }, /the thread ended with 3/],
    [{ do: 'throw outside' }, /thrown on purpose/],
  ] as const) {
    const { call } = startThread(t);
    const waiting = call({ do: 'wait for abort' });
    await Promise.all([assert.rejects(waiting, error), assert.rejects(call(request), error)]);
    await assert.rejects(call({ do: 'return', value: 1 }), error);
  }
});

test('both sides send requests over a port that also carries other messages', async (t) => {
  const { port1, port2 } = new MessageChannel();
  t.after(() => port1.close());
  const others: unknown[] = [];
  const left = createRpc<number, string>(
    port1,
    (text) => text.length,
    (message) => others.push(message),
  );
  const right = createRpc<string, number>(port2, (number) => -number);
  port2.postMessage({ kind: 'note' });
  assert.deepEqual(await Promise.all([left.call(5), right.call('three'), left.call(7)]), [-5, 5, -7]);
  assert.deepEqual(others, [{ kind: 'note' }]);
});
