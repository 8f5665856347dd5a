import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDeletions } from '../test/support/attacks/deletions.ts';
import { startDrippingSources } from '../test/support/attacks/dripping-sources.ts';
import { mountSmallDisk, startFullDisk } from '../test/support/attacks/full-disk.ts';
import { type HalfOpenTarget, startHalfOpenHandshakes } from '../test/support/attacks/half-open-handshakes.ts';
import { startHttpConnections } from '../test/support/attacks/http-connections.ts';
import { startWindowUpdates } from '../test/support/attacks/http2-window-updates.ts';
import { startIdGuessing } from '../test/support/attacks/id-guessing.ts';
import { deleteSettings, startMissingFolder } from '../test/support/attacks/lost-settings.ts';
import { takeOverOperator } from '../test/support/attacks/operator-takeover.ts';
import { sameLetters, startExpressions } from '../test/support/attacks/regex-rules.ts';
import { startSignInFlood } from '../test/support/attacks/sign-in-flood.ts';
import { startUdpFlood } from '../test/support/attacks/udp-flood.ts';
import { claimAddress } from './abuse-claims.ts';
import { guessSecondFactor } from './abuse-codes.ts';
import type { Attack, Measure } from './abuse-measures.ts';
import { sourceAddress } from './abuse-network.ts';
import { callApi, openStage, type Stage } from './abuse-stage.ts';
import type { Bar } from './bars.ts';

export type AttackEntry = {
  readonly name: string;
  readonly start: (stage: Stage) => Promise<Attack>;
  /** A separate server, for attacks that damage it or its disk. */
  readonly stage?: (folder: string) => Promise<Stage>;
  /** Rejected by design during the attack (docs/security.md, degradation), so they have no bar. */
  readonly refused?: readonly Measure[];
};

/** A sign-in writes a session. */
const WRITES: readonly Measure[] = ['write', 'signIn', 'list'];
const openInFolder = (folder: string): Promise<Stage> => openStage({ folder });
const oneNetwork = [1, 2, 3, 4].map((host) => sourceAddress(301, host));
const manyNetworks = Array.from({ length: 64 }, (_, at) => sourceAddress(320 + at, 7));

/** One line per attack; `--only` selects by these names. */
export const attacks: readonly AttackEntry[] = [
  { name: 'expressions', start: sendExpressions },
  { name: 'half-open handshakes', start: (stage) => halfOpen(stage, { sources: oneNetwork, connections: 200 }) },
  {
    name: 'half-open handshakes of 64 networks',
    start: (stage) => halfOpen(stage, { sources: manyNetworks, connections: 640 }),
  },
  { name: 'claimed address', start: claimAddress },
  { name: 'dripping sources and lists', start: dripSources },
  { name: 'deletions', start: deleteOften },
  { name: 'id and password guessing', start: guessIds },
  { name: 'sign-in flood', start: floodSignIn },
  { name: 'second-factor guessing', start: guessSecondFactor },
  { name: 'http connections', start: openHttpConnections },
  { name: 'window updates', start: floodWindowUpdates },
  { name: 'udp flood of one tenant', start: floodUdp },
  { name: 'operator takeover', start: becomeOperator },
  { name: 'full disk', start: fillDisk, stage: openOnSmallDisk, refused: WRITES },
  { name: 'lost settings file', start: loseSettings, stage: openInFolder, refused: WRITES },
  { name: 'missing data folder', start: moveFolder, stage: openInFolder, refused: WRITES },
];

async function sendExpressions({ url, attacker, ports }: Stage): Promise<Attack> {
  const { authorization, server, device } = attacker;
  const { rules, counts, stop } = await startExpressions({
    url,
    authorization,
    server,
    device,
    dns: { host: '127.0.0.1', port: ports.dns },
    queriesPerSecond: 20,
    rules: sameLetters(1000),
  });
  return { report: () => `${rules} of 1,000 expressions stored, queries ${JSON.stringify(counts())}`, stop };
}

/** Half of the connections send a part of a ClientHello, half all of it, to DoT and to DoH. */
async function halfOpen({ ports }: Stage, from: Pick<HalfOpenTarget, 'sources' | 'connections'>): Promise<Attack> {
  const connections = from.connections / 2;
  const running = await Promise.all(
    [ports.dot, ports.doh].flatMap((port) =>
      (['part', 'hello'] as const).map((sends) => startHalfOpenHandshakes({ ...from, connections, port, sends })),
    ),
  );
  return {
    report: () => `${running.reduce((sum, { opened }) => sum + opened(), 0)} connections opened`,
    stop: async () => void (await Promise.all(running.map(({ stop }) => stop()))),
  };
}

const DRIPPING_LISTS = 20;

async function dripSources({ url, attacker }: Stage): Promise<Attack> {
  const ask = (method: string, path: string, json?: object) => callApi(url, attacker.authorization, method, path, json);
  const { server, answers, stop } = await startDrippingSources({ url, count: 10, addresses: [sourceAddress(302, 2)] });
  const lists: { readonly id: string }[] = [];
  for (let at = 0; at < DRIPPING_LISTS; at++) {
    const { id } = await ask('POST', '/api/v1/custom_lists', { name: `drip ${at}`, url: server.urlOf(`list${at}`) });
    lists.push({ id });
  }
  const choose = (custom_lists: readonly object[]) =>
    ask('PUT', `/api/v1/dns_servers/${attacker.server}/custom_lists`, { custom_lists });
  await choose(lists);
  return {
    report: () => `${server.open()} downloads open, compilations by status ${JSON.stringify([...answers])}`,
    async stop() {
      await stop();
      await choose([]);
      for (const { id } of lists) await ask('DELETE', `/api/v1/custom_lists/${id}`);
    },
  };
}

async function deleteOften({ url, attacker, data }: Stage): Promise<Attack> {
  const { authorization } = attacker;
  const { done, stop } = await startDeletions({ url, authorization, settings: { data, database: undefined } });
  return { report: () => JSON.stringify(done), stop };
}

async function becomeOperator({ url, attacker, operatorEmail }: Stage): Promise<Attack> {
  const total = { tries: 0, granted: 0 };
  let isStopped = false;
  const trying = (async () => {
    while (!isStopped) {
      const { session: authorization, password } = attacker;
      const { tries, granted } = await takeOverOperator({ url, authorization, password, operatorEmail });
      total.tries += tries;
      total.granted += granted;
      await sleep(1000);
    }
  })();
  const bars = (): Bar[] => [
    { what: "operator's rights", figure: `${total.granted} of ${total.tries}`, met: total.granted === 0 },
  ];
  const stop = async (): Promise<void> => {
    isStopped = true;
    await trying;
  };
  return { bars, stop };
}

async function guessIds({ ports, deviceDomain, honest }: Stage): Promise<Attack> {
  const { counts, stop } = await startIdGuessing({
    host: '127.0.0.1',
    ports,
    deviceDomain,
    device: honest.device,
    source: sourceAddress(305, 6),
    perSecond: 100,
  });
  const answered = (): number => Object.values(counts()).reduce((sum, count) => sum + count.answered, 0);
  return {
    report: () => `guesses ${JSON.stringify(counts())}`,
    bars: () => [{ what: 'right guesses', figure: `${answered()}`, met: answered() === 0 }],
    stop,
  };
}

async function floodSignIn({ url }: Stage): Promise<Attack> {
  const { sent, stop } = await startSignInFlood({ url, networks: ['2001:db8:1', '2001:db8:2'] });
  return { report: () => `${sent()} sign-ins from two networks`, stop };
}

async function openHttpConnections({ httpPort }: Stage): Promise<Attack> {
  const target = { port: httpPort, count: 800, localAddress: sourceAddress(304, 3) };
  const { open, stop } = await startHttpConnections(target);
  return { report: () => `${open()} of ${target.count} connections open`, stop };
}

async function floodWindowUpdates({ ports }: Stage): Promise<Attack> {
  const { sent, ended, stop } = await startWindowUpdates({ port: ports.doh, source: sourceAddress(306, 6) });
  return { report: () => `${sent()} frames sent, ${ended()} connections ended by the server`, stop };
}

async function floodUdp({ ports, attacker }: Stage): Promise<Attack> {
  const target = { port: ports.dns, device: attacker.device, source: sourceAddress(307, 6) };
  const { sent, stop } = await startUdpFlood(target);
  return { report: () => `${sent()} queries sent`, stop };
}

const DISK_MEGABYTES = 48;

/** Data and log of the server share a small file system. Needs root. */
async function openOnSmallDisk(folder: string): Promise<Stage> {
  const { unmount } = mountSmallDisk(folder, DISK_MEGABYTES);
  try {
    const stage = await openStage({ folder, logFile: join(folder, 'weir.log') });
    const stop = async (): Promise<void> => {
      await stage.stop();
      unmount();
    };
    return { ...stage, stop };
  } catch (error) {
    unmount();
    throw error;
  }
}

const runs =
  ({ exitCode }: Stage) =>
  (): Bar[] => [
    { what: 'the process', figure: exitCode() === null ? 'runs' : `ended: ${exitCode()}`, met: exitCode() === null },
  ];

async function fillDisk(stage: Stage): Promise<Attack> {
  const full = await startFullDisk({ folder: join(stage.data, '..') });
  const refill = setInterval(full.refill, 500);
  const stop = async (): Promise<void> => {
    clearInterval(refill);
    await full.stop();
  };
  return { bars: runs(stage), stop };
}

async function loseSettings(stage: Stage): Promise<Attack> {
  deleteSettings(stage.data);
  return { bars: runs(stage), stop: async () => {} };
}

async function moveFolder(stage: Stage): Promise<Attack> {
  return { bars: runs(stage), ...startMissingFolder({ data: stage.data }) };
}
