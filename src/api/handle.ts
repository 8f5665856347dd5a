import type { FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import type { Route } from '../http/route.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { authenticate, type Caller, whyNot } from './authenticate.ts';
import { fieldCheck } from './check.ts';
import type { Deps } from './deps.ts';
import { answerOf, type Refusal } from './errors.ts';
import type { Asked, Change, Operation, Raw } from './operation.ts';
import { readBody, readQuery } from './read-request.ts';
import { credentialsOf, endOfCookie, wantsCookie } from './session-cookie.ts';
import { auditEntry, redrawing } from './write.ts';

/** The operations where requests arrive. For each the same: who asks, what exactly, do it, answer. */
export function routesOf(operations: readonly Operation[], deps: Deps): Route[] {
  return operations.map((operation) => {
    const { does: _, status: __, ...route } = operation;
    return { ...route, run: handle(operation, deps) };
  });
}

function handle(operation: Operation, deps: Deps): Route['run'] {
  const { does, status } = operation;
  const readAsked = askedBy(operation, deps.addressOf);
  const grant = async (request: FastifyRequest, reply: FastifyReply): Promise<Result<unknown, Refusal>> => {
    const from = deps.clientOf(request);
    if (does.kind === 'open') {
      // Nobody is let in by a cookie alone where no credentials are asked for.
      const authorization = request.raw.headersDistinct['authorization'] ?? [];
      const asked = readAsked(request, from);
      return asked.ok ? does.run(deps, { ...asked.value, authorization }) : asked;
    }
    const caller = await authenticate(deps, credentialsOf(deps, request));
    if (!caller.ok) {
      reply.headers(endOfCookie(deps, request));
      return caller;
    }
    const forbidden = whyNot(caller.value, does.who);
    if (forbidden) return err(forbidden);
    const asked = readAsked(request, from);
    if (!asked.ok) return asked;
    const whole = { ...asked.value, caller: caller.value };
    if (does.kind === 'change') return changeBy(does, whole, deps);
    return does.run(deps.store.read, whole, deps);
  };
  return async (request, reply) => {
    const granted = await grant(request, reply);
    return granted.ok ? sendReply(reply, status, granted.value) : sendRefusal(reply, granted.error);
  };
}

type Whole = Asked<never, never, never>;

function askedBy(
  operation: Operation,
  addressOf: Deps['addressOf'],
): (request: FastifyRequest, from: string) => Result<Whole, Refusal> {
  const { query = nothing, body, bodyTypes = [], bodyIsOptional = false } = operation;
  const checkQuery = fieldCheck(query);
  const checkBody = fieldCheck(body ?? nothing);
  const takesForm = bodyTypes.length > 0;
  const bodyOf = (request: FastifyRequest): Result<unknown, Refusal> => {
    if (!body) return ok(undefined);
    const read = readBody(request, { takesForm, ...(bodyIsOptional && { whenEmpty: {} }) });
    return read.ok ? checkBody(read.value) : read;
  };
  return (request, from) => {
    const asksOf = checkQuery(readQuery(request, query));
    if (!asksOf.ok) return asksOf;
    if (nameOfNul(request.params)) return err({ kind: 'not found', what: 'path' });
    const unstorable = nameOfNul(asksOf.value);
    if (unstorable) return err(invalid(unstorable, 'must not have a NUL in it'));
    const said = bodyOf(request);
    if (!said.ok) return said;
    return ok({
      params: request.params,
      query: asksOf.value,
      body: said.value,
      from,
      address: addressOf(request),
      inCookie: wantsCookie(request),
    } as Whole);
  };
}

/** PostgreSQL cannot even look for a NUL, and nothing that we keep has one. */
const nameOfNul = (parameters: unknown): string | undefined =>
  Object.entries(parameters as Readonly<Record<string, unknown>>).find(([, value]) =>
    [value].flat().some((text) => typeof text === 'string' && text.includes('\0')),
  )?.[0];

const nothing: TSchema = Type.Object({});

async function changeBy(
  { prepare, run }: Change,
  asked: Whole & { readonly caller: Caller },
  deps: Deps,
): Promise<Result<unknown, Refusal>> {
  const prepared = await prepare?.(deps, asked);
  if (prepared?.ok === false) return prepared;
  return redrawing(() =>
    deps.store.inTransaction(async (store) => {
      const changed = await run(store, asked, deps, prepared?.value as never);
      if (!changed.ok) return changed;
      await store.audit.add(auditEntry(deps, { ...asked.caller, from: asked.from }, changed.value.audit));
      return ok(changed.value.reply);
    }),
  );
}

const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && 'content' in value && 'headers' in value;

const COMMON = { 'cache-control': 'no-store' };
// Published clients call /oapi from pages of other origins; /api is for our own pages and for programs.
const PUBLISHED = { ...COMMON, 'access-control-allow-origin': '*' };
const commonOf = ({ request }: FastifyReply): typeof COMMON => (request.url.startsWith('/oapi/') ? PUBLISHED : COMMON);

function sendReply(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  reply.headers(commonOf(reply));
  if (value === undefined) return reply.code(status).send();
  if (isRaw(value)) {
    const { content } = value;
    reply.code(value.status ?? status).headers(value.headers);
    return typeof content === 'string' ? reply.serializer(asItIs).send(content) : reply.send(content);
  }
  return sendJson(reply.code(status), value);
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, body, headers } = answerOf(refusal);
  return sendJson(reply.code(status).headers({ ...commonOf(reply), ...headers }), body);
}

const sendJson = (reply: FastifyReply, value: unknown): FastifyReply => sendText(reply, JSON.stringify(value));

const asItIs = (text: unknown): string => text as string;

// To a text without a serializer Fastify would add a charset, which JSON has no use for; as bytes it would be written apart.
const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'application/json').serializer(asItIs).send(text);
