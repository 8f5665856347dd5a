// The HTTP interface of ClickHouse, as far as Weir uses it, around the engine as a library. A process of its own: a crash of the
// native library must not end the tests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

type Session = { readonly query: (sql: string, format: string) => string };

const [, , chdbFolder = '', data = '', port = ''] = process.argv;
const { Session } = createRequire(join(chdbFolder, 'package.json'))('chdb') as {
  Session: new (path: string) => Session;
};
const session = new Session(data);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const fail = (status: number, code: number, message: string): void => {
    response.writeHead(status, { 'x-clickhouse-exception-code': code }).end(`Code: ${code}. DB::Exception: ${message}`);
  };
  const given = await buffer(request);
  const { headers, url = '' } = request;
  if (headers['x-clickhouse-user'] !== 'weir' || headers['x-clickhouse-key'] !== 'secret')
    return fail(516, 516, 'Authentication failed');
  const statement = (headers['content-encoding'] === 'gzip' ? gunzipSync(given) : given).toString();
  const database = new URL(url, 'http://localhost').searchParams.get('database') ?? 'default';
  try {
    session.query(`USE ${database}`, 'Null');
    response.end(session.query(statement, 'JSONCompactEachRow'));
  } catch (error) {
    const { message } = error as Error;
    const [, code = '0', text = message] = /Code: (\d+)\. DB::Exception: (.*)/s.exec(message) ?? [];
    fail(500, Number(code), text);
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(port), '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
// Ends with its parent.
process.stdin.resume().on('end', () => process.exit());
