import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ServerEvent, Service } from './service.ts';

type Asked = { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };
export type RawAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** One request on a connection of its own, with no header but these; what comes back is neither decoded nor followed. */
export async function ask(service: Pick<Service, 'url'>, method: string, path: string, asked: Asked = {}) {
  const { response } = await open(service, method, path, asked);
  const answer: RawAnswer = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await buffer(response),
  };
  return answer;
}

async function open(service: Pick<Service, 'url'>, method: string, path: string, { headers = {}, body }: Asked) {
  const outgoing = request(`${service.url}${path}`, { method, headers, agent: false });
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  if (text !== undefined && !outgoing.hasHeader('content-type')) outgoing.setHeader('content-type', 'application/json');
  outgoing.end(text);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { outgoing, response };
}

/** A POST whose response is not read: `leave` ends its connection. */
export function postAndLeave(service: Pick<Service, 'url'>, path: string, body: unknown): { leave: () => void } {
  const outgoing = request(`${service.url}${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' },
  });
  outgoing.on('error', () => {});
  outgoing.end(JSON.stringify(body));
  return { leave: () => outgoing.destroy() };
}

export type OpenStream = {
  readonly response: IncomingMessage;
  /** Reads on until an event of this name has come; gives it and all before it. */
  until(name: string): Promise<readonly ServerEvent[]>;
  /** Reads to the end; gives everything that was ever sent. */
  rest(): Promise<string>;
  leave(): void;
};

/** An event stream that is read as it comes. */
export async function openStream(service: Pick<Service, 'url'>, body: unknown): Promise<OpenStream> {
  const { outgoing, response } = await open(service, 'POST', '/compile/stream', { body });
  response.setEncoding('utf8').on('error', () => {});
  const pieces = response[Symbol.asyncIterator]() as AsyncIterator<string>;
  let text = '';
  const readMore = async (): Promise<boolean> => {
    const { value, done } = await pieces.next();
    if (!done) text += value;
    return done !== true;
  };
  return {
    response,
    async until(name) {
      for (;;) {
        const events = parseEvents(text.slice(0, text.lastIndexOf('\n\n') + 2));
        if (events.some(({ event }) => event === name)) return events;
        if (!(await readMore())) throw new Error(`the stream ended before ${name}:\n${text}`);
      }
    },
    async rest() {
      while (await readMore());
      return text;
    },
    leave: () => outgoing.destroy(),
  };
}

/** Whole frames, read as strictly as they are written: three lines each, and comments. */
export function parseEvents(text: string): ServerEvent[] {
  const frames = text.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  return frames.map((frame) => {
    const [, id, event, data] = /^id: (\d+)\nevent: ([a-z:]+)\ndata: (.*)$/.exec(frame) ?? [];
    if (id === undefined || event === undefined || data === undefined) throw new Error(`not a frame: ${frame}`);
    return { id, event, data: JSON.parse(data) as Record<string, unknown> };
  });
}
