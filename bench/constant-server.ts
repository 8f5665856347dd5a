// The baseline of the API benchmarks: the same HTTP framework, with a constant response.
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

const [answer, url] = process.argv.slice(2) as [string, string];
const bytes = Buffer.from(answer);
const server = Fastify();
server.route({
  method: ['GET', 'POST'],
  url,
  handler: (_request, reply) => reply.header('content-type', 'application/json').send(bytes),
});
await server.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ msg: 'listening', port: (server.server.address() as AddressInfo).port }));
