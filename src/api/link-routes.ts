import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Device } from '../domain/device.ts';
import { type AccountId, parseDeviceId } from '../domain/ids.ts';
import { proofName } from '../domain/link-proof.ts';
import { parseDdnsName, sameSpelling } from '../domain/linked-address.ts';
import { afterFailure, checkThrottle, linkThrottleKey } from '../domain/login-throttle.ts';
import type { Answer, Route } from '../http/route.ts';
import { ok, type Result } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { type LinkTo, linkDevice } from '../operations/link-device.ts';
import { isSecret } from '../operations/new-secrets.ts';
import { transact } from '../operations/transact.ts';
import type { Deps } from './deps.ts';
import { type ApiError, toResponse } from './errors.ts';

// Called by routers and scripts, which search the plain-text response for "has been linked".

type TextResponse = {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};
type Params = { readonly device_id: string; readonly token: string; readonly domain?: string };

const FROM_OTHER_SITE: TextResponse = {
  status: 403,
  text: 'This link was opened from another website. To link this address, paste the link into the address bar',
};
const NOT_FOUND: TextResponse = { status: 404, text: 'Unknown link' };
const NO_TOKEN = '?'.repeat(43);

const linkParams = {
  device_id: Type.String({ description: 'Device id.' }),
  token: Type.String({ description: 'Token of the link.' }),
};
const LinkParams = Type.Object(linkParams);
const DdnsParams = Type.Object({ ...linkParams, domain: Type.String({ description: 'DDNS name to look up.' }) });

const plain = (description: string): Answer => ({ description, content: { 'text/plain': Type.String() } });
const answers = {
  200: plain('Result as plain text.'),
  400: plain('The address cannot be linked.'),
  403: plain('The link was opened from another website.'),
  404: plain('Unknown link.'),
  429: plain('Too many requests with invalid links from this address.'),
};

export function linkRoutes(deps: Deps): Route[] {
  const about = { group: 'Linked addresses', security: [], answers } as const;
  const link = by(deps, (device, request) =>
    // A HEAD request must not change anything.
    request.method === 'HEAD' ? status(deps, device) : linkTo(deps, device, request, { kind: 'client' }),
  );
  return [
    {
      ...about,
      method: 'GET',
      path: '/linkip/:device_id/:token',
      operationId: 'linkAddress',
      summary: 'Link the address of the request to the device',
      description:
        'For routers and scripts, which can open a URL. Nothing is written if the address is linked already.',
      params: LinkParams,
      run: link,
    },
    {
      ...about,
      method: 'POST',
      path: '/linkip/:device_id/:token',
      operationId: 'linkAddressByPost',
      summary: 'Link the address of the request to the device',
      description: 'The same as the GET request, for clients that send POST.',
      params: LinkParams,
      run: link,
    },
    {
      ...about,
      method: 'GET',
      path: '/linkip/:device_id/:token/status',
      operationId: 'getLinkStatus',
      summary: 'Get the linked address',
      description: 'The linked or pending address of the device, as plain text.',
      params: LinkParams,
      run: by(deps, (device) => status(deps, device)),
    },
    {
      ...about,
      method: 'POST',
      path: '/ddns/:device_id/:token/:domain',
      operationId: 'linkDdnsName',
      summary: 'Link the address of a DDNS name',
      description:
        'The address is linked immediately if the request comes from it; otherwise it stays pending until it is verified. The name is looked up every five minutes.',
      params: DdnsParams,
      run: by(deps, async (device, request) => {
        const name = (request.params as Params).domain!;
        return linkTo(deps, device, request, {
          kind: 'name',
          name,
          ip: await deps.addressBehind(parseDdnsName(name) ?? ''),
        });
      }),
    },
  ];
}

/** Runs for a valid link. Invalid links all get the same response and are throttled. */
function by(
  deps: Deps,
  run: (device: Device, request: FastifyRequest) => Promise<TextResponse> | TextResponse,
): Route['run'] {
  return async (request, reply) => {
    const device = await deviceOf(deps, request.params as Params);
    return send(reply, device ? await run(device, request) : await missed(deps, deps.clientOf(request)));
  };
}

async function deviceOf(deps: Deps, { device_id, token }: Params): Promise<Device | undefined> {
  const id = parseDeviceId(device_id);
  const device = id && (await deps.store.read.devices.findUnscoped(id));
  if (!isSecret(deps, token, device?.linkToken ?? NO_TOKEN) || !device) return undefined;
  return (await isSuspended(deps, device.account)) ? undefined : device;
}

const isSuspended = async ({ store }: Deps, account: AccountId): Promise<boolean> =>
  (await store.read.accounts.find(account))?.isSuspended !== false;

/**
 * Valid links are never throttled, so that an outdated script does not lock out others behind the same address. Tokens cannot be guessed;
 * the throttle only limits the load.
 */
async function missed({ store, now }: Deps, from: string): Promise<TextResponse> {
  const key = linkThrottleKey(from);
  const wait = checkThrottle(await store.read.throttles.get(key), now());
  if (wait.kind === 'wait') {
    const seconds = Math.max(1, Math.ceil(wait.ms / 1000));
    return {
      status: 429,
      text: 'Too many requests with invalid links; try again later',
      headers: { 'retry-after': String(seconds) },
    };
  }
  await store.inTransaction(async ({ throttles }) => throttles.put(key, afterFailure(await throttles.get(key), now())));
  return NOT_FOUND;
}

async function linkTo(deps: Deps, deviceOfLink: Device, request: FastifyRequest, to: LinkTo): Promise<TextResponse> {
  if (isFromOtherSite(request)) return FROM_OTHER_SITE;
  const client = sameSpelling(deps.addressOf(request));
  // Writes only changes, because scripts call every few minutes.
  if (isAlready(deviceOfLink, to, client)) return describeLink(deps, deviceOfLink);
  const author = { account: deviceOfLink.account, by: 'the link of the device', from: deps.clientOf(request) };
  const linked = await transact(deps.store, async (store): Promise<Result<Device | undefined, ApiError>> => {
    const device = await store.devices.find(deviceOfLink.account, deviceOfLink.id);
    if (device?.linkToken !== deviceOfLink.linkToken) return ok(undefined);
    const result = await linkDevice(store, deps, device, to, client);
    if (!result.ok) return result;
    await store.audit.add(auditEntry(deps, author, result.value.audit));
    return ok(result.value.device);
  });
  if (!linked.ok) return toTextResponse(linked.error);
  return linked.value ? describeLink(deps, linked.value) : NOT_FOUND;
}

/**
 * Rejects requests from pages of other sites, which could link the address of their visitors to a device. Browsers send Fetch Metadata
 * headers; routers and scripts do not.
 */
const isFromOtherSite = ({ headers }: FastifyRequest): boolean =>
  !['none', 'same-origin'].includes(String(headers['sec-fetch-site'] ?? 'none'));

function isAlready({ linkedIp, pendingIp, ddnsName }: Device, to: LinkTo, client: string): boolean {
  if (to.kind !== 'name') return linkedIp === client;
  const isKnown = linkedIp === to.ip || (pendingIp === to.ip && to.ip !== client);
  return ddnsName === parseDdnsName(to.name) && isKnown;
}

function describeLink(deps: Deps, { name, linkedIp, pendingIp, ddnsName, linkToken }: Device): TextResponse {
  const behind = ddnsName === undefined ? '' : ` (${ddnsName})`;
  if (linkedIp !== undefined) return { status: 200, text: `${linkedIp}${behind} has been linked to ${name}` };
  const text =
    pendingIp === undefined
      ? `${ddnsName} is stored for ${name}; its address could not be found and is looked up every five minutes`
      : `${pendingIp}${behind} is not linked to ${name} yet: open the link from there, or send the DNS server from there ` +
        `a query for ${proofName(linkToken, deps.sha256)}, class CHAOS, type TXT`;
  return { status: 200, text };
}

const status = (deps: Deps, device: Device): TextResponse =>
  (device.linkedIp ?? device.pendingIp ?? device.ddnsName) === undefined
    ? { status: 200, text: `No address is linked to ${device.name}` }
    : describeLink(deps, device);

function toTextResponse(error: ApiError): TextResponse {
  const { status } = toResponse(error);
  if (error.kind !== 'invalid') return { status, text: 'This address cannot be linked' };
  return { status, text: `This address cannot be linked: it ${error.errors[0]!.message}` };
}

const send = (reply: FastifyReply, { status, text, headers = {} }: TextResponse): FastifyReply =>
  reply
    .code(status)
    .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers })
    .send(`${text}\n`);
