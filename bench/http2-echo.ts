import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';

/*
 * The baseline of DNS over HTTPS: a bare node:http2 server that sends a constant response.
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
