import { askServer as ask, parseServer, type ServerAnswer } from './query/ask-server.ts';

/** Queries a server and prints the response with the explanation. */
export async function askServer(
  words: readonly string[],
  typeFlag: string | undefined,
  isJson: boolean,
): Promise<number> {
  const [server = '', name, type = typeFlag ?? 'A', ...others] = words;
  if (name === undefined) throw new Error('missing domain name: weir query @127.0.0.1 www.example.org');
  if (others.length > 0) throw new Error(`unexpected argument "${others[0]}"`);
  const address = parseServer(server.slice(1));
  if (!address) throw new Error(`"${server}" is not a server such as @127.0.0.1 or @[::1]:5300`);
  const answer = await ask(address, name, type);
  if (!answer.ok) throw new Error(answer.error);
  console.log(isJson ? JSON.stringify(answer.value, undefined, 2) : formatAnswer(answer.value));
  return 0;
}

function formatAnswer({ server, name, type, code, records, why, told, elapsedMs }: ServerAnswer): string {
  return [
    `${name} ${type} from ${server} in ${elapsedMs} ms: ${code}`,
    ...records.map((record) => `  ${record.name} ${record.ttl} ${record.type} ${record.data}`),
    ...(why === undefined ? [] : [`  extended error: ${why}`]),
    ...(told.length === 0 ? [] : ['', 'Explanation from the server:', ...told.map((line) => `  ${line}`)]),
  ].join('\n');
}
