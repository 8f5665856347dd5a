import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';

/*
 * The least that a request over HTTP/2 costs on this runtime: the same answer to everybody, of so many bytes.
 * `http2-echo.ts CERTIFICATE KEY PORT BYTES`
 */
const [cert, key, port, bytes] = process.argv.slice(2);
const body = Buffer.alloc(Number(bytes));
const headers = { ':status': 200, 'content-type': 'application/dns-message' };

createSecureServer({ cert: readFileSync(cert!), key: readFileSync(key!) })
  .on('stream', (stream) => {
    stream.respond(headers);
    stream.end(body);
  })
  .listen(Number(port), '127.0.0.1');
