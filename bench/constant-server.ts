// The same framework, and nothing but the bytes it is given: what the service is measured against.
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

const answer = Buffer.from(process.argv[2]!);
const server = Fastify();
server.post('/compile', (_request, reply) => reply.header('content-type', 'application/json').send(answer));
await server.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ port: (server.server.address() as AddressInfo).port }));
