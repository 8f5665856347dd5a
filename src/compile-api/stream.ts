import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { CompileResult, FollowedJob } from './compilations.ts';
import type { ErrorResponse } from './compile-job.ts';
import { CORS } from './response.ts';
import { makeBody, member, type Part, previousMember, unsupportedMembers, warningsMember } from './response-body.ts';

const HEARTBEAT_MS = 15_000;

type Wanted = { readonly benchmark: boolean; readonly warnings: readonly string[] };

/** Sends a compilation as server-sent events. */
export async function sendStream(
  reply: FastifyReply,
  { events, compiled }: Pick<FollowedJob, 'events' | 'compiled'>,
  { benchmark, warnings }: Wanted,
  gone: AbortSignal,
): Promise<string | undefined> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...CORS,
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    // Disables buffering in proxies.
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  // A large event is written in pieces; a comment within it would break it.
  let isWithinEvent = false;
  const heartbeat = setInterval(() => isWithinEvent || raw.write(': still here\n\n'), HEARTBEAT_MS);
  try {
    let id = 0;
    for (const message of warnings)
      await write(raw, `id: ${++id}\nevent: log\ndata: ${JSON.stringify({ level: 'warn', message })}\n\n`);
    for await (const { name, data } of events) {
      if (gone.aborted) return undefined;
      await write(raw, `id: ${++id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
    }
    const settled = await compiled;
    for (const part of lastEvents(settled, benchmark, id)) {
      isWithinEvent = true;
      const body = makeBody(part);
      if (Buffer.isBuffer(body)) await write(raw, body);
      else for await (const piece of body) await write(raw, piece as Buffer);
      isWithinEvent = false;
    }
    return settled.kind === 'failed' ? settled.error : undefined;
  } finally {
    clearInterval(heartbeat);
    raw.end();
  }
}

/** A stream of a single event, for an error that is found before the compilation starts. */
export const sendFailedStream = (
  reply: FastifyReply,
  errorResponse: ErrorResponse,
  gone: AbortSignal,
): Promise<string | undefined> =>
  sendStream(
    reply,
    { events: noEvents(), compiled: Promise.resolve({ kind: 'failed', ...errorResponse }) },
    { benchmark: false, warnings: [] },
    gone,
  );

async function* noEvents(): AsyncGenerator<never> {}

/** Back-pressure: waits until the client has read the buffered data. */
async function write(raw: ServerResponse, piece: string | Uint8Array): Promise<void> {
  if (raw.destroyed) throw new Error('the client has disconnected');
  if (raw.write(piece)) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      raw.off('drain', goOn).off('close', goOn);
      resolve();
    };
    raw.on('drain', goOn).on('close', goOn);
  });
}

function lastEvents(compiled: CompileResult, benchmark: boolean, id: number): Part[][] {
  if (compiled.kind === 'failed') {
    const { error, details } = compiled;
    return [[`id: ${id + 1}\nevent: error\ndata: ${JSON.stringify({ error, details })}\n\n`]];
  }
  const { result, previous } = compiled;
  const { ruleCount, extra, list } = result;
  return [
    [
      `id: ${id + 1}\nevent: result\ndata: {"rules":`,
      { json: list },
      `,"ruleCount":${ruleCount}`,
      benchmark ? `,"metrics":${JSON.stringify(extra.metrics)}` : '',
      ...previousMember(previous),
      member('dropped', extra.dropped),
      unsupportedMembers(extra.unsupported),
      warningsMember(result.missing),
      '}\n\n',
    ],
    [`id: ${id + 2}\nevent: done\ndata: {}\n\n`],
  ];
}
