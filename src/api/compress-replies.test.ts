import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { compressReplies } from './compress-replies.ts';

const long = JSON.stringify({ text: 'a'.repeat(2000) });

function openServer() {
  const server = Fastify();
  compressReplies(server);
  const json = (text: string | Buffer) => (_request: FastifyRequest, reply: FastifyReply) =>
    // Without a serializer Fastify adds a charset to the type of a string.
    reply.header('content-type', 'application/json').serializer(String).send(text);
  server.get('/long', json(Buffer.from(long)));
  server.get('/string', json(long));
  server.get('/short', json(Buffer.from('a'.repeat(1399))));
  server.get('/enough', json(Buffer.from('a'.repeat(1400))));
  server.post('/long', json(Buffer.from(long)));
  server.get('/text', async () => 'a'.repeat(2000));
  return (method: 'GET' | 'POST', url: string, accepted?: string) =>
    server.inject({ method, url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });
}

test('JSON of reads is compressed with the encoding that the client prefers', async () => {
  const ask = openServer();
  for (const [encoding, decode] of [
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, rawPayload } = await ask('GET', '/long', encoding);
    assert.deepEqual([headers['content-encoding'], headers['vary']], [encoding, 'accept-encoding']);
    assert.equal(Number(headers['content-length'] ?? rawPayload.length), rawPayload.length);
    assert.equal(decode(rawPayload).toString(), long);
  }
});

test('a reply that is a string is compressed too', async () => {
  const { headers, rawPayload } = await openServer()('GET', '/string', 'gzip');
  assert.deepEqual([headers['content-encoding'], gunzipSync(rawPayload).toString()], ['gzip', long]);
});

test('a client without an encoding gets the text, and caches learn that it depends on the header', async () => {
  const { headers, payload } = await openServer()('GET', '/long');
  assert.deepEqual([headers['content-encoding'], headers['vary'], payload], [undefined, 'accept-encoding', long]);
});

test('replies to changes, short replies and other types are not compressed', async () => {
  const ask = openServer();
  for (const [method, url] of [
    ['POST', '/long'],
    ['GET', '/short'],
    ['GET', '/text'],
  ] as const) {
    const { headers } = await ask(method, url, 'gzip');
    assert.deepEqual([headers['content-encoding'], headers['vary']], [undefined, undefined], `${method} ${url}`);
  }
  assert.equal((await ask('GET', '/enough', 'gzip')).headers['content-encoding'], 'gzip');
});
