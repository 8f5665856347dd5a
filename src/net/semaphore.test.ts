import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fairTime } from '../../test/support/kit/fair-time.ts';
import { httpOrigin, says } from '../../test/support/net/origin.ts';
import { downloader } from './download.ts';
import { turns } from './semaphore.ts';

const now = fairTime();
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Enters and records it in `log`. */
function visitor(log: string[], take: ReturnType<typeof turns>) {
  return async (name: string, origin: string, signal?: AbortSignal) => {
    const turn = await take(origin, signal);
    log.push(name);
    return turn;
  };
}

test('two callers get a slot, the others follow in order', async () => {
  const log: string[] = [];
  const enter = visitor(log, turns(2));
  const visits = ['a', 'b', 'c', 'd'].map((name) => enter(name, 'http://x'));
  await soon();
  assert.deepEqual(log, ['a', 'b']);
  (await visits[1]!).leave();
  await soon();
  assert.deepEqual(log, ['a', 'b', 'c']);
  (await visits[0]!).leave();
  (await visits[2]!).leave();
  await soon();
  assert.deepEqual(log, ['a', 'b', 'c', 'd']);
});

test('each origin has a separate queue', async () => {
  const log: string[] = [];
  const enter = visitor(log, turns(1));
  await Promise.all([enter('a', 'http://x'), enter('b', 'http://y'), enter('c', 'https://x')]);
  assert.deepEqual(log, ['a', 'b', 'c']);
});

test('releasing twice frees only one slot', async () => {
  const log: string[] = [];
  const enter = visitor(log, turns(1));
  const first = await enter('a', 'http://x');
  void enter('b', 'http://x');
  void enter('c', 'http://x');
  first.leave();
  first.leave();
  await soon();
  assert.deepEqual(log, ['a', 'b']);
});

test('an aborted caller leaves the queue without taking a slot', async () => {
  const log: string[] = [];
  const enter = visitor(log, turns(1));
  const control = new AbortController();
  const first = await enter('a', 'http://x');
  const tired = enter('b', 'http://x', control.signal);
  const patient = enter('c', 'http://x', control.signal);
  void patient.catch(() => {});
  const stop = new Error('tired');
  control.abort(stop);
  await assert.rejects(tired, stop);
  await assert.rejects(patient, stop);
  await assert.rejects(enter('d', 'http://x', control.signal), stop);
  first.leave();
  await enter('e', 'http://x');
  assert.deepEqual(log, ['a', 'e']);
});

test('moving to another origin releases the old slot first, so that two callers that swap do not deadlock', async () => {
  const take = turns(1);
  const [first, second] = [await take('http://x'), await take('http://y')];
  await Promise.all([first.moveTo('http://y'), second.moveTo('http://x')]);
  first.leave();
  second.leave();
  await Promise.all([take('http://x'), take('http://y')]);
});

test('a caller aborted between two origins holds no slot', async () => {
  const take = turns(1);
  const first = await take('http://x');
  await take('http://y');
  await assert.rejects(first.moveTo('http://y', AbortSignal.timeout(5)), { name: 'TimeoutError' });
  first.leave();
  await take('http://x');
});

/** Counts concurrent requests. */
async function busyOrigin(t: Parameters<typeof httpOrigin>[0]) {
  const seen = { now: 0, most: 0 };
  const origin = await httpOrigin(t, (_request, response) => {
    seen.most = Math.max(seen.most, ++seen.now);
    setTimeout(() => {
      seen.now--;
      response.end('||a.com^');
    }, 20);
  });
  return { ...origin, seen };
}

test('at most two downloads per server run concurrently, including redirected ones', async (t) => {
  const busy = await busyOrigin(t);
  const detour = await httpOrigin(t, says(302, { location: busy.url }));
  const download = downloader({ maxPerOrigin: 2 });
  const urls = Array.from({ length: 8 }, (_, at) => `${at % 2 === 0 ? busy.url : detour.url}?${at}`);
  await Promise.all(urls.map((url) => download(url)));
  assert.equal(busy.seen.most, 2);
  const unlimited = downloader();
  await Promise.all(urls.map((url) => unlimited(url)));
  assert.ok(busy.seen.most > 2);
});

test('waiting for a slot does not count towards the timeout of a download, and can be aborted', async (t) => {
  const busy = await busyOrigin(t);
  const download = downloader({ maxPerOrigin: 1, timeoutMs: 80, totalBudgetMs: 80, maxRetries: 0, now });
  const stop = new Error('the user left');
  const control = new AbortController();
  const downloads = Array.from({ length: 8 }, () => download(busy.url));
  const aborted = download(busy.url, { signal: control.signal });
  control.abort(stop);
  await assert.rejects(aborted, stop);
  await Promise.all(downloads);
  assert.equal(busy.connections.length, 8);
});

test('a failed download frees its slot', async (t) => {
  const origin = await httpOrigin(t, says(404));
  const download = downloader({ maxPerOrigin: 1 });
  for (let turn = 0; turn < 3; turn++)
    await assert.rejects(download(origin.url), { failure: { kind: 'status', status: 404 } });
});
