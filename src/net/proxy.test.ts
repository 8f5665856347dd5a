import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { downloader } from './download.ts';
import { publicEndpoints } from './endpoint-policy.ts';

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that answers itself and records the requests. */
function createProxy(): { server: Server; asked: string[] } {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('||from.the.proxy^');
  });
  return { server, asked };
}

test('a download uses the proxy of the environment', async () => {
  const { server, asked } = createProxy();
  const proxies = { HTTP_PROXY: await listen(server) };
  const { bytes } = await downloader({ proxies })('http://list.example/list.txt');
  assert.equal(new TextDecoder().decode(bytes), '||from.the.proxy^');
  assert.deepEqual(asked, ['http://list.example/list.txt']);
  server.close();
});

test('NO_PROXY excludes a host', async () => {
  const { server, asked } = createProxy();
  const origin = createServer((_, response) => void response.end('||direct^'));
  const url = await listen(origin);
  const proxies = { HTTP_PROXY: await listen(server), NO_PROXY: '127.0.0.1' };
  const { bytes } = await downloader({ proxies })(`${url}/list.txt`);
  assert.equal(new TextDecoder().decode(bytes), '||direct^');
  assert.deepEqual(asked, []);
  server.close();
  origin.close();
});

test('under an endpoint policy no proxy is used, because it would resolve names itself', async () => {
  const { server, asked } = createProxy();
  const proxies = { HTTP_PROXY: await listen(server) };
  const download = downloader({ proxies, endpoints: publicEndpoints({ ports: [80] }), maxRetries: 0 });
  await assert.rejects(download('http://127.0.0.1:9/list.txt'));
  assert.deepEqual(asked, []);
  server.close();
});
