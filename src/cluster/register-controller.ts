import { timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createZstdCompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { DirectorySource } from '../dns-server/directory-feed.ts';
import { snapshotParts } from '../dns-server/directory-snapshot.ts';
import type { FromDns } from '../dns-server/thread-messages.ts';
import type { ClusterNode, NodeStatus } from '../domain/cluster-node.ts';
import { deviceTypes } from '../domain/device.ts';
import type { QueryRecord } from '../domain/query-record.ts';
import { BATCH_HEADER, readRecordsBody } from '../query-log/index.ts';
import type { ChangedSince } from '../store/change-feed.ts';
import type { Position } from '../store/changes.ts';
import { changeStream } from './change-stream.ts';
import { type EdgeSetup, headers, listToken, PROTOCOL, parsePosition, paths, positionText } from './protocol.ts';

export type ControllerDeps = {
  /** The node with this key; undefined if it does not exist or is revoked. */
  readonly nodeOf: (key: string) => Promise<ClusterNode | undefined>;
  readonly nodeWithId: (id: string) => Promise<ClusterNode | undefined>;
  readonly source: DirectorySource;
  readonly newestChange: () => Promise<Position>;
  readonly changedSince: (position: Position) => Promise<ChangedSince>;
  /** See `positionText`. */
  readonly form: string;
  readonly setup: () => Promise<Omit<EdgeSetup, 'node'>>;
  /** The text of a filter list in use; waits for its first download. */
  readonly listText: (id: string) => Promise<{ readonly version: string; readonly path: string } | undefined>;
  /** A request is applied once; repetitions with the same id are ignored. */
  readonly change: (request: FromDns, id: string | undefined) => Promise<boolean>;
  /** Stores records of a node; each batch is stored once. */
  readonly appendRecords: (batch: string, records: readonly QueryRecord[]) => Promise<void>;
  readonly report: (node: string, status: NodeStatus) => Promise<void>;
  readonly addressOf: (request: FastifyRequest) => string;
  readonly now: () => number;
};

const accountId = Type.String({ minLength: 1, maxLength: 100 });
const requestId = Type.Optional(Type.String({ pattern: '^[\\w-]{1,64}$' }));
const requestBody = Compile(
  Type.Union([
    Type.Object({
      kind: Type.Literal('make device'),
      id: requestId,
      account: accountId,
      humanId: Type.Object({
        type: Type.Union(deviceTypes.map((type) => Type.Literal(type))),
        profile: Type.String({ pattern: '^[0-9a-f]{8}$' }),
        humanId: Type.String({ minLength: 1, maxLength: 50 }),
        name: Type.String({ minLength: 1, maxLength: 64 }),
      }),
    }),
    Type.Object({
      kind: Type.Literal('prove address'),
      id: requestId,
      account: accountId,
      device: Type.String({ pattern: '^(?:[0-9a-f]{8}){1,2}$' }),
      address: Type.String({ minLength: 2, maxLength: 45 }),
    }),
  ]),
);
const statusBody = Compile(
  Type.Object({
    version: Type.String({ maxLength: 64 }),
    revision: Type.Integer({ minimum: 0 }),
    lagMs: Type.Integer({ minimum: 0 }),
  }),
);

type Handle = (request: FastifyRequest, reply: FastifyReply, node: ClusterNode) => Promise<unknown>;

/** The endpoints for edges. Every request needs a node key. */
export function registerController(server: FastifyInstance, deps: ControllerDeps): void {
  const stopping = new AbortController();
  server.addHook('preClose', async () => stopping.abort());

  const route = (method: 'GET' | 'POST', url: string, handle: Handle): void => {
    server.route({
      method,
      url,
      handler: async (request, reply) => {
        const node = await authenticate(deps, request);
        if (!node) return fail(reply.header('www-authenticate', 'Bearer'), 401, 'the node key is not valid');
        const protocol = request.headers[headers.protocol] ?? PROTOCOL;
        if (protocol !== PROTOCOL)
          return fail(
            reply,
            426,
            `this controller needs edges with protocol ${PROTOCOL}: update the older one of both`,
          );
        return handle(request, reply.header('cache-control', 'no-store'), node);
      },
    });
  };

  route('GET', paths.setup, async (_request, reply, { id }) => sendJson(reply, { ...(await deps.setup()), node: id }));

  route('GET', paths.directory, async (_request, reply) => {
    // Read before the accounts, so that changes in between are sent again.
    const position = await deps.newestChange();
    const texts = Readable.from(snapshotParts({ takenAt: deps.now() }, deps.source.allAccounts()), {
      objectMode: false,
    });
    // An error truncates the response, so that the checksum is missing.
    const body = pipeline(texts, createZstdCompress(), () => undefined);
    return reply
      .headers({
        'content-type': 'application/jsonl',
        'content-encoding': 'zstd',
        [headers.position]: positionText(position, deps.form),
      })
      .send(body);
  });

  route('GET', paths.changes, async (request, reply) => {
    const { after = '' } = request.query as { after?: string };
    const isAllowed = async (): Promise<boolean> => (await authenticate(deps, request)) !== undefined;
    const events = changeStream({ ...deps, isAllowed }, parsePosition(after, deps.form), stopping.signal);
    return reply
      .headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
      .send(Readable.from(events, { objectMode: false }));
  });

  server.get<{ Params: { id: string } }>(`${paths.lists}/:id`, async (request, reply) => {
    const { id } = request.params;
    if (!(await mayReadList(deps, request, id))) return fail(reply, 401, 'the token of the list is not valid');
    const found = await deps.listText(id);
    if (!found) return fail(reply, 404, 'the list is not in use here');
    const etag = `"${found.version}"`;
    reply.headers({ etag, 'content-type': 'text/plain; charset=utf-8' });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply.send(createReadStream(found.path));
  });

  route('POST', paths.requests, async (request, reply, node) => {
    const body = parseJson(request.body);
    if (!requestBody.Check(body)) return fail(reply, 400, 'invalid request');
    const { id, ...change } = body;
    const isApplied = await deps.change(change as FromDns, id && `${node.id} request ${id}`);
    return sendJson(reply, { isApplied, revision: (await deps.newestChange()).revision });
  });

  route('POST', paths.log, async (request, reply, { id }) => {
    const batch = request.headers[BATCH_HEADER];
    const records = Buffer.isBuffer(request.body) ? readRecordsBody(request.body) : undefined;
    if (typeof batch !== 'string' || !/^[\w-]{1,64}$/.test(batch)) return fail(reply, 400, `${BATCH_HEADER}: missing`);
    if (!records) return fail(reply, 400, 'invalid records');
    await deps.appendRecords(`${id} ${batch}`, records);
    return sendJson(reply, {});
  });

  route('POST', paths.status, async (request, reply, node) => {
    const body = parseJson(request.body);
    if (!statusBody.Check(body)) return fail(reply, 400, 'invalid status');
    await deps.report(node.id, { ...body, at: deps.now(), address: deps.addressOf(request) });
    return sendJson(reply, {});
  });
}

async function mayReadList({ nodeWithId }: ControllerDeps, { query }: FastifyRequest, list: string): Promise<boolean> {
  const { node = '', token = '' } = query as { node?: unknown; token?: unknown };
  const found = await nodeWithId(String(node));
  const expected = Buffer.from(listToken(found?.hash ?? '', list));
  const received = Buffer.from(String(token));
  return found !== undefined && received.length === expected.length && timingSafeEqual(received, expected);
}

async function authenticate(
  { nodeOf }: Pick<ControllerDeps, 'nodeOf'>,
  request: FastifyRequest,
): Promise<ClusterNode | undefined> {
  const [, key] = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '') ?? [];
  return key === undefined ? undefined : nodeOf(key);
}

function parseJson(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

// A Buffer, because Fastify adds a charset to strings, which JSON does not have.
const sendJson = (reply: FastifyReply, body: object): FastifyReply =>
  reply.header('content-type', 'application/json').send(Buffer.from(JSON.stringify(body)));

const fail = (reply: FastifyReply, status: number, error: string): FastifyReply =>
  sendJson(reply.code(status), { error });
