import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { LogError } from '../log-store.ts';
import { codeOf, createClickhouseClient, UNKNOWN_TABLE } from './client.ts';

async function startServer(
  t: { after(end: () => unknown): void },
  answer: (response: ServerResponse, request: IncomingMessage, body: string) => void,
  maxMs?: number,
) {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => answer(response, request, String(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = { origin, user: 'weir', password: 'secret', database: 'logs' };
  return { client: createClickhouseClient(address, maxMs), origin };
}

test('statements are sent with user, password and database; rows are read line by line', async (t) => {
  const seen: unknown[] = [];
  const { client } = await startServer(t, (response, { headers, url }, body) => {
    seen.push([headers['x-clickhouse-user'], headers['x-clickhouse-key'], url, body.split('\n')[0]]);
    response.end('[1,"a"]\n[2,"b"]\n');
  });
  assert.deepEqual(await client.select('SELECT 1'), [
    [1, 'a'],
    [2, 'b'],
  ]);
  await client.run('DROP TABLE x', { database: 'default' });
  assert.deepEqual(seen, [
    ['weir', 'secret', '/?wait_end_of_query=1&database=logs', 'SELECT 1'],
    ['weir', 'secret', '/?wait_end_of_query=1&database=default', 'DROP TABLE x'],
  ]);
});

test('an error of ClickHouse has its number, from the header or from the text, and a bounded message', async (t) => {
  for (const headers of [{ 'x-clickhouse-exception-code': '60' }, {}]) {
    const { client } = await startServer(t, (response) => {
      response.writeHead(404, headers).end(`Code: 60. DB::Exception: ${'x'.repeat(1000)}`);
    });
    await assert.rejects(client.run('SELECT 1'), (error) => {
      assert.ok(error instanceof LogError && error.kind === 'unavailable');
      assert.equal(codeOf(error), UNKNOWN_TABLE);
      assert.ok(error.message.length < 400);
      return true;
    });
  }
});

test('a server that does not answer in time, or redirects, is unavailable; the error names the server', async (t) => {
  const silent = await startServer(t, () => {}, 20);
  const redirecting = await startServer(t, (response, { url }) => {
    response.writeHead(url === '/elsewhere' ? 200 : 302, { location: '/elsewhere' }).end();
  });
  for (const { client, origin } of [silent, redirecting])
    await assert.rejects(client.run('SELECT 1'), (error) => {
      assert.ok(error instanceof LogError && error.message.includes(origin) && codeOf(error) === undefined);
      assert.ok(!error.message.includes('secret'));
      return true;
    });
});
