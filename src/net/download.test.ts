import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { httpOrigin, inTurn, noWaiting, rawOrigin, says } from '../../test/support/net/origin.ts';
import type { Copies, Copy } from './copies-on-disk.ts';
import { downloader } from './download.ts';

const list = says(200, { 'content-type': 'text/plain', etag: '"1"' }, '||a.com^');
const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();

test('a list is downloaded with its content type', async (t) => {
  const answers = inTurn(list);
  const origin = await httpOrigin(t, answers);
  const { bytes, ...about } = await downloader({ userAgent: 'weir/1.0' })(` ${origin.url}ads.txt#top `);
  assert.equal(Buffer.from(bytes).toString(), '||a.com^');
  assert.deepEqual(about, {
    url: `${origin.url}ads.txt`,
    contentType: 'text/plain',
    freshness: 'fresh',
    validator: '"1"',
  });
  const { url, method, headers } = answers.asked[0]!;
  assert.deepEqual([method, url, headers['user-agent']], ['GET', '/ads.txt', 'weir/1.0']);
  assert.equal(headers['accept-encoding'], 'gzip, br, deflate');
  await origin.allClosed();
});

test('an address that cannot be downloaded is rejected by name', async () => {
  for (const url of ['', 'ads.txt', '//list.example/', '/etc/passwd', 'http://', 'http://[::1%25eth0]/']) {
    await assert.rejects(downloader()(url), { failure: { kind: 'bad url' } }, url);
  }
  await assert.rejects(downloader()('file:///etc/passwd'), {
    failure: { kind: 'bad url' },
    message: "Failed to request url 'file:///etc/passwd': it is not a URL that can be downloaded",
  });
});

test('two transient failures are retried after about one and two seconds', async (t) => {
  const { waits, settings } = noWaiting();
  const origin = await httpOrigin(t, inTurn(says(500), says(429), list));
  const told: unknown[] = [];
  const downloaded = await downloader(settings)(origin.url, { onRetry: (info) => told.push(info) });
  assert.equal(textOf(downloaded), '||a.com^');
  assert.deepEqual(waits, [1000, 2000]);
  assert.deepEqual(told, [
    { failure: { kind: 'status', status: 500 }, reason: 'status 500', waitMs: 1000, attempt: 1 },
    { failure: { kind: 'status', status: 429 }, reason: 'status 429', waitMs: 2000, attempt: 2 },
  ]);
});

test('a failing server gets four requests', async (t) => {
  for (const status of [408, 425, 429, 500, 503]) {
    const { waits, settings } = noWaiting();
    const origin = await httpOrigin(t, says(status));
    await assert.rejects(downloader(settings)(origin.url), { failure: { kind: 'status', status } });
    assert.equal(origin.connections.length, 4, String(status));
    assert.deepEqual(waits, [1000, 2000, 4000]);
  }
});

test('an attempt that timed out is retried', async (t) => {
  const { settings } = noWaiting();
  const origin = await httpOrigin(
    t,
    inTurn(() => {}, list),
  );
  assert.equal(textOf(await downloader({ ...settings, timeoutMs: 250 })(origin.url)), '||a.com^');
});

test('Retry-After is obeyed, in seconds and as a date', async (t) => {
  const now = () => Date.parse('Tue, 01 Jul 2025 10:00:00 GMT');
  const busy = ['7', 'Tue, 01 Jul 2025 10:00:20 GMT', 'soon'].map((when) => says(503, { 'retry-after': when }));
  const { waits, settings } = noWaiting();
  const origin = await httpOrigin(t, inTurn(...busy, list));
  await downloader({ ...settings, now })(origin.url);
  assert.deepEqual(waits, [7000, 20_000, 4000]);
});

test('a Retry-After longer than the budget fails at once', async (t) => {
  const { waits, settings } = noWaiting();
  const origin = await httpOrigin(t, says(503, { 'retry-after': '3600' }));
  await assert.rejects(downloader(settings)(origin.url), {
    failure: { kind: 'status', status: 503, retryAfterMs: 3_600_000 },
  });
  assert.equal(origin.connections.length, 1);
  assert.deepEqual(waits, []);
});

test('waits and attempts together stay within the budget', async (t) => {
  let clock = 0;
  const sleep = async (ms: number) => {
    clock += ms;
  };
  const origin = await httpOrigin(t, says(503, { 'retry-after': '50' }));
  const download = downloader({ sleep, now: () => clock, random: () => 0.5 });
  await assert.rejects(download(origin.url), /is invalid: 503$/);
  assert.equal(origin.connections.length, 3);
});

test('the last attempt gets only what is left of the budget', async (t) => {
  const origin = await rawOrigin(t, '', () => {});
  const download = downloader({ totalBudgetMs: 50, timeoutMs: 60_000 });
  await assert.rejects(download(origin.url), { failure: { kind: 'timeout' } });
});

test('aborting closes the connection at once and rejects with the reason', async (t) => {
  const stop = new Error('the user left');
  const starts = [
    '',
    'HTTP/1.1 200 OK\r\n',
    'HTTP/1.1 200 OK\r\n\r\nbody',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody',
  ];
  for (const start of starts) {
    const control = new AbortController();
    const origin = await rawOrigin(t, start, () => setTimeout(() => control.abort(stop), 20).unref());
    await assert.rejects(downloader()(origin.url, { signal: control.signal }), stop);
    await origin.allClosed();
    assert.equal(origin.connections.length, 1);
  }
});

test('aborting ends a handshake in progress', async (t) => {
  const stop = new Error('the user left');
  const control = new AbortController();
  const origin = await rawOrigin(t, '', () => control.abort(stop));
  await assert.rejects(downloader()(`https://127.0.0.1:${origin.port}/`, { signal: control.signal }), stop);
  await origin.allClosed();
});

test('aborting ends the wait before the next attempt', async (t) => {
  const stop = new Error('the user left');
  const control = new AbortController();
  const origin = await httpOrigin(t, says(503, { 'retry-after': '100' }));
  const onRetry = () => void setTimeout(() => control.abort(stop), 5);
  await assert.rejects(downloader()(origin.url, { signal: control.signal, onRetry }), stop);
  assert.equal(origin.connections.length, 1);
});

test('a download aborted before its start opens no connection', async (t) => {
  const stop = new Error('the user left');
  const origin = await httpOrigin(t, list);
  await assert.rejects(downloader()(origin.url, { signal: AbortSignal.abort(stop) }), stop);
  assert.equal(origin.connections.length, 0);
});

test('finished downloads do not keep the process alive', async (t) => {
  const origin = await httpOrigin(t, (_request, response) => {
    response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=600' }).end('||a.com^');
  });
  const program = `
    import { downloader } from ${JSON.stringify(new URL('./download.ts', import.meta.url).href)};
    const { bytes } = await downloader()(${JSON.stringify(origin.url)});
    console.log(bytes.length);
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    timeout: 30_000,
  });
  assert.equal(stdout, '8\n');
  assert.equal(origin.connections.length, 1);
});

function copiesInMemory(): Copies & { kept: Map<string, Copy> } {
  const kept = new Map<string, Copy>();
  return {
    kept,
    load: (url) => Promise.resolve(kept.get(url)),
    save: (url, copy) => Promise.resolve(void kept.set(url, copy)),
  };
}

test('an unchanged copy is not downloaded again', async (t) => {
  const copies = copiesInMemory();
  const answers = inTurn(list, says(304));
  const origin = await httpOrigin(t, answers);
  const download = downloader({ copies });
  assert.equal((await download(origin.url)).freshness, 'fresh');
  const again = await download(`${origin.url}#top`);
  assert.deepEqual([textOf(again), again.contentType, again.freshness], ['||a.com^', 'text/plain', 'not modified']);
  assert.equal(answers.asked[1]?.headers['if-none-match'], '"1"');
});

test('an outdated copy is replaced', async (t) => {
  const copies = copiesInMemory();
  const origin = await httpOrigin(t, inTurn(list, says(200, { 'last-modified': 'yesterday' }, '||b.com^')));
  const download = downloader({ copies });
  await download(origin.url);
  assert.equal((await download(origin.url)).freshness, 'fresh');
  const { bytes, ...about } = copies.kept.get(origin.url)!;
  assert.equal(Buffer.from(bytes).toString(), '||b.com^');
  assert.deepEqual(about, { url: origin.url, contentType: undefined, lastModified: 'yesterday' });
});

test('a body has the validator of its server, also if a copy is used', async (t) => {
  const both = { etag: '"1"', 'last-modified': 'yesterday' };
  const origin = await httpOrigin(
    t,
    inTurn(says(200, both), says(304), says(404), says(200, { 'last-modified': 'today' }), says(200)),
  );
  const download = downloader({ copies: copiesInMemory(), useStaleCopies: true });
  const told: unknown[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const { freshness, validator } = await download(origin.url);
    told.push([freshness, validator]);
  }
  assert.deepEqual(told, [
    ['fresh', '"1"'],
    ['not modified', '"1"'],
    ['stale', '"1"'],
    ['fresh', 'today'],
    ['fresh', undefined],
  ]);
});

test('a failed download is never stored as a copy', async (t) => {
  const copies = copiesInMemory();
  const origin = await rawOrigin(t, 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n||a.com^');
  await assert.rejects(downloader({ copies, maxRetries: 0 })(origin.url), { failure: { kind: 'truncated' } });
  assert.equal(copies.kept.size, 0);
});

test('a copy replaces a failed download only if that is requested', async (t) => {
  const copies = copiesInMemory();
  const origin = await httpOrigin(t, inTurn(list, says(404)));
  await downloader({ copies })(origin.url);
  const stale = await downloader({ copies, useStaleCopies: true })(origin.url);
  assert.deepEqual(
    [textOf(stale), stale.freshness, stale.staleBecause?.failure],
    ['||a.com^', 'stale', { kind: 'status', status: 404 }],
  );
  await assert.rejects(downloader({ copies })(origin.url), { failure: { kind: 'status', status: 404 } });
});

test('a copy does not replace forbidden or aborted downloads', async (t) => {
  const copies = copiesInMemory();
  const origin = await httpOrigin(
    t,
    inTurn(list, () => {}),
  );
  await downloader({ copies })(origin.url);
  const refusing = downloader({ copies, useStaleCopies: true, endpoints: () => false });
  await assert.rejects(refusing(origin.url), { failure: { kind: 'refused address' } });
  const stop = new Error('the user left');
  const control = new AbortController();
  setTimeout(() => control.abort(stop), 20);
  const download = downloader({ copies, useStaleCopies: true });
  await assert.rejects(download(origin.url, { signal: control.signal }), stop);
});

test('a programming error is neither a failed download nor a reason to use a copy', async (t) => {
  const copies = copiesInMemory();
  const origin = await httpOrigin(t, inTurn(list, says(200, { 'content-encoding': 'gzip' }, gzipSync('||b.com^'))));
  const download = downloader({ copies, useStaleCopies: true });
  await download(origin.url);
  const mistake = new TypeError('not a function');
  const onProgress = () => assert.fail(mistake);
  await assert.rejects(download(origin.url, { onProgress }), mistake);
  assert.equal(origin.connections.length, 2);
});

test('copies that cannot be read or stored are reported, and the download continues', async (t) => {
  const broken = () => Promise.reject(new Error('disk full'));
  const problems: string[] = [];
  const onCopyProblem = ({ message, cause }: Error) => problems.push(`${message}: ${(cause as Error).message}`);
  const origin = await httpOrigin(t, list);
  const download = downloader({ copies: { load: broken, save: broken }, onCopyProblem });
  assert.equal(textOf(await download(origin.url)), '||a.com^');
  assert.deepEqual(problems, [
    'the stored copy of a source could not be read: disk full',
    'a downloaded source could not be stored: disk full',
  ]);
});
