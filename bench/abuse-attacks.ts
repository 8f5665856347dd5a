import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { startWindowUpdates } from '../test/support/attacks/http2-window-updates.ts';
import { startIdGuessing } from '../test/support/attacks/id-guessing.ts';
import { startUdpFlood } from '../test/support/attacks/udp-flood.ts';
import type { Measure } from './abuse-measures.ts';
import { sourceAddress } from './abuse-network.ts';
import { openStage, type Stage } from './abuse-stage.ts';
import {
  type Attack,
  startClaimedAddress,
  startDeletions,
  startDrippingSources,
  startExpressions,
  startHalfOpenHandshakes,
  startHttpConnections,
  startLostSettings,
  startOperatorTakeover,
  startSignInFlood,
} from './abuse-stand-ins.ts';

export type AttackEntry = {
  readonly name: string;
  readonly start: (stage: Stage) => Promise<Attack>;
  /** A fault of the machine that the other attacks must not inherit gets a server of its own. */
  readonly stage?: (folder: string) => Promise<Stage>;
  /** Refused by design while the fault lasts (docs/security.md, degradation): they have no bar. */
  readonly refused?: readonly Measure[];
};

/** A session is a row, too. */
const WRITES: readonly Measure[] = ['write', 'signIn', 'list'];
const openInFolder = (folder: string): Promise<Stage> => openStage({ folder });

/** One line per attack; `only` on the command line chooses by these names. */
export const attacks: readonly AttackEntry[] = [
  { name: 'expressions', start: startExpressions },
  { name: 'half-open handshakes', start: startHalfOpenHandshakes },
  { name: 'claimed address', start: startClaimedAddress },
  { name: 'full disk', start: fillDisk, stage: openOnSmallDisk, refused: WRITES },
  { name: 'dripping sources and lists', start: startDrippingSources },
  { name: 'deletions', start: startDeletions },
  { name: 'operator takeover', start: startOperatorTakeover },
  { name: 'id and password guessing', start: guessIds },
  { name: 'lost settings file', start: startLostSettings, stage: openInFolder, refused: WRITES },
  { name: 'sign-in flood', start: startSignInFlood },
  { name: 'http connections', start: startHttpConnections },
  { name: 'window updates', start: floodWindowUpdates },
  { name: 'udp flood of one tenant', start: floodUdp },
];

async function guessIds({ ports, deviceDomain, honest }: Stage): Promise<Attack> {
  const guessing = await startIdGuessing({
    ports,
    deviceDomain,
    device: honest.device,
    source: sourceAddress(305, 6),
  });
  return { report: () => `guesses answered: ${JSON.stringify(guessing.answered)}`, stop: () => guessing.stop() };
}

async function floodWindowUpdates({ ports }: Stage): Promise<Attack> {
  const flood = await startWindowUpdates({ port: ports.doh, source: sourceAddress(306, 6) });
  const report = (): string => `${flood.sent()} frames sent, ${flood.ended()} connections ended by the server`;
  return { report, stop: () => flood.stop() };
}

async function floodUdp({ ports, attacker }: Stage): Promise<Attack> {
  const flood = await startUdpFlood({
    port: ports.dns,
    device: attacker.device,
    source: sourceAddress(307, 6),
  });
  return { report: () => `${flood.sent()} queries sent`, stop: () => flood.stop() };
}

const DISK_MEGABYTES = 48;

/** The data folder and the log of the server share a small file system. Needs root. */
async function openOnSmallDisk(folder: string): Promise<Stage> {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', folder]);
  const unmount = (): void => void spawnSync('umount', ['-l', folder]);
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

/** Takes all space that is left, also what the server frees later. */
async function fillDisk({ data, exitCode }: Stage): Promise<Attack> {
  const path = join(data, '..', 'filler');
  const file = openSync(path, 'w');
  const fill = (): void => {
    const bytes = new Uint8Array(4096);
    try {
      while (writeSync(file, bytes) > 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  };
  fill();
  const refill = setInterval(fill, 500);
  return {
    report: () => (exitCode() === null ? 'the process runs' : `the process ended with ${exitCode()}`),
    async stop() {
      clearInterval(refill);
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}
