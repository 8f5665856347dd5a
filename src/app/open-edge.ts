import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { controllerClient } from '../cluster/controller-client.ts';
import { edgeDirectory } from '../cluster/edge-directory.ts';
import { edgeRequests } from '../cluster/edge-requests.ts';
import { followController } from '../cluster/follow-controller.ts';
import { listMirror } from '../cluster/list-mirror.ts';
import { type EdgeSetup, paths } from '../cluster/protocol.ts';
import { savedRequestsPath } from '../cluster/saved-requests.ts';
import { readSnapshot, snapshotPath } from '../dns-server/directory-snapshot.ts';
import { openCatalogue } from '../domain/catalogue/catalogue.ts';
import { messageOf } from '../kit/message-of.ts';
import { hashOf } from '../operations/new-secrets.ts';
import { version } from '../platform/version.ts';
import { writeAtomic } from '../platform/write-atomic.ts';
import type { LogLocation } from '../query-log/index.ts';
import type { Settings } from '../settings/settings.ts';
import { logListenerState } from './open-settings.ts';
import { logOptions, spoolFolder } from './store-options.ts';

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest();

const REPORT_MS = 15_000;
const RETRY_MS = 5000;
const SETUP_FILE = 'controller-setup.json';

/** A DNS node without a database: accounts, lists and secrets come from the controller, or from the last start. */
export async function openEdge(settings: Settings, log: Logger, signal: AbortSignal) {
  const key = settings.nodeKey ?? (await readFile(settings.nodeKeyFile!, 'utf8')).trim();
  const client = controllerClient({ url: settings.controller!, key });
  const found = await readSnapshot(snapshotPath(settings.data));
  if (found.kind === 'damaged') log.error({ problem: found.why }, 'the snapshot of the settings is damaged');
  const lastKnown = found.kind === 'there' ? found.snapshot : undefined;
  const accounts = edgeDirectory();
  if (lastKnown) for await (const some of lastKnown.accounts()) some.forEach(accounts.set);

  async function* lastKnownBlocks() {
    for await (const block of accounts.allAccounts()) yield { block, outdated: new Set<string>() };
  }

  const failures = failureLog(log);
  const follower = followController({
    client,
    directory: accounts,
    position: lastKnown?.position,
    notifier: { onState: (state) => logListenerState(log, state) },
    onFailure: failures.add,
    onCurrent: failures.end,
  });
  const requests = await edgeRequests({
    client,
    reached: follower.reached,
    file: savedRequestsPath(settings.data),
    onProblem: (problem) => log.warn({ err: problem }, 'requests to the controller were not saved or read'),
    onDropped: ({ kind }) =>
      log.warn(
        { problem: kind },
        'a request to the controller was dropped: it was rejected, was not sent within a day, or the queue is full',
      ),
  });
  const report = setInterval(() => {
    const { revision, lagMs } = follower.state();
    const body = { version, revision, lagMs: Math.round(lagMs) };
    // Failures are logged by the stream of changes.
    client.json('POST', paths.status, { body }).catch(() => undefined);
  }, REPORT_MS).unref();
  const stop = async (): Promise<void> => {
    clearInterval(report);
    await requests.stop();
    await follower.stop();
  };

  try {
    const readSetup = (): Promise<EdgeSetup> => client.json<EdgeSetup>('GET', paths.setup);
    const file = join(settings.data, SETUP_FILE);
    const saved = await savedSetup(file);
    const isFirst = lastKnown === undefined || saved === undefined;
    if (isFirst) log.info('waiting for the settings of the controller: DNS starts once they are read');
    const setup = isFirst ? await untilRead(readSetup, signal, failures.add) : saved;
    if (isFirst) {
      await writeAtomic(file, JSON.stringify(setup));
      await Promise.race([follower.first, aborted(signal)]);
      signal.throwIfAborted();
    } else void refresh(readSetup, saved, file, log);
    const catalogue = openCatalogue((setup.catalogue ?? {}) as object);
    if (!catalogue.ok) throw new Error('the catalogue of the controller cannot be used: update this node');
    const directory = {
      source: follower.source,
      change: requests.change,
      lastKnown: lastKnown && {
        blocks: lastKnownBlocks,
        changes: lastKnown.position === undefined ? ('replaced' as const) : ('reported' as const),
      },
      snapshotFiles: lastKnown?.position === undefined ? undefined : lastKnown.files,
      appliedPosition: follower.appliedPosition,
      catalogue: catalogue.value,
      safety: setup.safety,
      cookieSecret: fromBase64(setup.cookieSecret),
      ticketSecret: setup.ticketSecret && {
        period: setup.ticketSecret.period,
        value: fromBase64(setup.ticketSecret.value),
      },
      listMirror: setup.hasLists
        ? listMirror(client.locate, { id: setup.node, keyHash: hashOf({ sha256 }, key) })
        : undefined,
    };
    const state = {
      isInPlace: () => true,
      areListenersBehind: follower.areListenersBehind,
      listenerFailures: follower.listenerFailures,
      changes: follower.state,
      connections: () => undefined,
    };
    return { directory, state, log: logOf(settings, { url: client.locate(paths.log).href, key }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

/** Records go to ClickHouse if it is set, otherwise to the controller. */
function logOf(settings: Settings, controller: { readonly url: string; readonly key: string }): LogLocation {
  if (settings.queryLog !== undefined) return logOptions(settings);
  return { controller, spool: { folder: spoolFolder(settings.data), maxBytes: settings.queryLogSpoolBytes } };
}

async function savedSetup(file: string): Promise<EdgeSetup | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as EdgeSetup;
  } catch {
    return undefined;
  }
}

async function untilRead<T>(
  read: () => Promise<T>,
  signal: AbortSignal,
  onFailure: (error: unknown, retryMs: number) => void,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await read();
    } catch (error) {
      onFailure(error, RETRY_MS);
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

/** Excludes the ticket secret, from which those of later periods could be derived. */
const appliedAtStart = (setup: EdgeSetup) => ({ ...setup, version: undefined, ticketSecret: undefined });

/** Saves the current settings of the controller for the next start. */
async function refresh(read: () => Promise<EdgeSetup>, saved: EdgeSetup, file: string, log: Logger): Promise<void> {
  try {
    const setup = await read();
    await writeAtomic(file, JSON.stringify(setup));
    if (!isDeepStrictEqual(appliedAtStart(setup), appliedAtStart(saved)))
      log.warn('the catalogue, safety lists or secrets of the controller have changed: restart this node to use them');
  } catch {
    // Not logged: the stream of changes reports that the controller cannot be reached. The saved settings stay in use.
  }
}

/** Logs each kind of failure once until the settings are current again. */
function failureLog(log: Logger) {
  let last: string | undefined;
  return {
    add: (error: unknown, retryMs: number): void => {
      const problem = messageOf(error);
      if (problem === last) return;
      last = problem;
      log.warn({ problem, seconds: Math.round(retryMs / 1000) }, 'the controller cannot be followed; retrying');
    },
    end: (): void => {
      last = undefined;
      log.info('the settings of the controller are current');
    },
  };
}
