import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { httpOrigin } from '../../test/support/net/origin.ts';
import { accountsIn, blockOf } from '../dns-server/account-blocks.ts';
import { snapshotParts } from '../dns-server/directory-snapshot.ts';
import type { FeedAccount } from '../dns-server/feed-account.ts';
import { changeStream } from './change-stream.ts';
import { controllerClient } from './controller-client.ts';
import { edgeDirectory } from './edge-directory.ts';
import { followController } from './follow-controller.ts';
import { headers, parsePosition, paths, positionText } from './protocol.ts';

const account = (id: string, timeZone = 'UTC'): FeedAccount =>
  ({ id, timeZone, profiles: [], devices: [], dedicated: [], customLists: [] }) as never;

async function directoryOf(...accounts: FeedAccount[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of snapshotParts(
    { takenAt: 1 },
    (async function* () {
      yield blockOf(accounts);
    })(),
  ))
    parts.push(part);
  return Buffer.concat(parts);
}

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

test('a damaged directory, a wrong key and a wrong version are errors with their reason, and the edge recovers', async (t) => {
  // JSON leaves U+2028 as it is; it must not end the line of the account.
  const whole = await directoryOf(account('a'), { ...account('b'), note: '\u2028' } as never);
  const damaged = Buffer.from(whole.toString().replace('"UTC"', '"GMT"'));
  const answers = [
    { status: 401, body: '{}' },
    { status: 426, body: '{"error":"update it"}' },
    { status: 200, body: zstdCompressSync(damaged) },
    { status: 200, body: zstdCompressSync(whole) },
  ];
  const asked: string[] = [];
  const { url } = await httpOrigin(t, (request, response) => {
    asked.push(request.url!);
    assert.equal(request.headers.authorization, 'Bearer the-key');
    if (request.url === paths.directory) {
      const { status, body } = answers.shift()!;
      response.writeHead(status, { [headers.position]: '1.5.a' }).end(body);
      return;
    }
    const changes = event('account', account('a', 'Asia/Tokyo')) + event('removed', { id: 'b' });
    response.end(changes + event('position', { position: '3.9.b', revision: 3 }));
  });
  const problems: string[] = [];
  const isCurrent = Promise.withResolvers<void>();
  const changed: unknown[] = [];
  const follower = followController({
    client: controllerClient({ url, key: 'the-key' }),
    directory: edgeDirectory(),
    position: undefined,
    onFailure: (error) => problems.push((error as Error).message),
    onCurrent: isCurrent.resolve,
    firstWaitMs: 1,
  });
  t.after(follower.stop);
  follower.source.onCommit((accounts) => void changed.push(accounts));
  await isCurrent.promise;
  assert.deepEqual(problems, [
    'the controller does not accept the node key',
    'the controller is of another version: update it',
    'the directory of the controller is damaged: its checksum is wrong',
  ]);
  assert.equal(follower.state().revision, 3);
  assert.deepEqual(changed.slice(0, 2), ['all', new Set(['a', 'b'])]);
  const all: FeedAccount[] = [];
  for await (const block of follower.source.allAccounts()) all.push(...accountsIn(block));
  assert.deepEqual(
    all.map(({ id, timeZone }) => [id, timeZone]),
    [['a', 'Asia/Tokyo']],
  );
  // The closed stream is continued from its position, without another directory.
  await follower.stop();
  assert.equal(asked.filter((path) => path === paths.directory).length, 4);
});

test('an edge that knows its position reads the changes since, and the directory only if the controller does not know it', async (t) => {
  const whole = await directoryOf(account('c'));
  const asked: string[] = [];
  let isReset = false;
  const { url } = await httpOrigin(t, (request, response) => {
    asked.push(request.url!);
    if (request.url === paths.directory) {
      response.writeHead(200, { [headers.position]: '1.1.g' }).end(zstdCompressSync(whole));
      return;
    }
    if (isReset) response.end(event('reset', {}));
    else
      response.write(
        event('account', account('b', 'Asia/Tokyo')) + event('position', { position: '3.9.f', revision: 3 }),
      );
    isReset = true;
    if (asked.length === 1) setTimeout(() => response.end(), 20);
  });
  const directory = edgeDirectory();
  for (const id of ['a', 'b']) directory.set(account(id));
  const follower = followController({
    client: controllerClient({ url, key: 'the-key' }),
    directory,
    position: '2.5.f',
    onFailure: () => {},
    onCurrent: () => {},
    firstWaitMs: 1,
  });
  t.after(follower.stop);
  // Before the first listener: it must know of the changes since the last run, and of no others.
  await follower.first;
  const changed: unknown[] = [];
  const wasReplaced = Promise.withResolvers<void>();
  follower.source.onCommit((accounts) => {
    changed.push(accounts);
    if (accounts === 'all') wasReplaced.resolve();
  });
  assert.equal(follower.appliedPosition(), undefined);
  await wasReplaced.promise;
  assert.deepEqual(changed.slice(0, 2), [new Set(['b']), 'all']);
  assert.deepEqual(
    asked.slice(0, 3).map((path) => decodeURIComponent(path)),
    [`${paths.changes}?after=2.5.f`, `${paths.changes}?after=3.9.f`, paths.directory],
  );
  assert.deepEqual(await follower.source.account('a' as never), undefined);
});

test('a position is only read in the format in which it was written', async () => {
  const change = { revision: 7, at: 9 };
  assert.deepEqual(parsePosition(positionText(change, 'f1'), 'f1'), change);
  for (const text of ['', '7', '7.9', '-1.9.f1', '7.9.a b.f1', '7.9.f2'])
    assert.equal(parsePosition(text, 'f1'), undefined, text);
  const events = changeStream(undefined as never, undefined, new AbortController().signal);
  assert.match((await Array.fromAsync(events)).join(''), /^event: reset\n[^\n]+\n\n$/);
});
