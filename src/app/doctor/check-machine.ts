import { constants, existsSync, statSync } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isUdpBatchPossible } from '../../resolver/transport/udp-mmsg.ts';
import { type Finding, fine, problem, warning } from './finding.ts';

const MIB = 1024 * 1024;
const LITTLE_MIB = 200;
const LOW_MIB = 1024;

export function checkProgram(): readonly Finding[] {
  const batches = isUdpBatchPossible();
  return [
    fine('program', `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`),
    batches === true
      ? fine('batches', 'plain DNS is read and answered in batches')
      : warning(
          'batches',
          `plain DNS is answered packet by packet: ${batches}`,
          'Install without --omit=optional, on Linux x64 or arm64, for the full speed.',
        ),
  ];
}

/** Folders that do not exist yet are created with the right mode at the first start. */
export async function checkDataFolder(data: string): Promise<readonly Finding[]> {
  if (!existsSync(data)) return [...(await checkParent(data)), await checkDisk(dirname(data))];
  const findings: Finding[] = [];
  const { uid } = await stat(data);
  const mode = readableByOthers(data);
  if (mode !== undefined)
    findings.push(
      problem(
        'permissions',
        `${data} can be read by other users (mode ${mode})`,
        `It holds secrets: run "chmod 700 ${data}".`,
      ),
    );
  // Files in a private folder are private, whatever their mode is.
  const open =
    mode === undefined ? [] : (await readdir(data, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { name } of open) {
    const path = join(data, name);
    if (readableByOthers(path) !== undefined)
      findings.push(problem('permissions', `${path} can be read by other users`, `Run "chmod 600 ${path}".`));
  }
  const isWritable = await access(data, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    findings.push(
      problem(
        'permissions',
        `this user cannot write to ${data} (its owner has the id ${uid})`,
        'Run the command as the user of the service, or change the owner with chown.',
      ),
    );
  if (findings.length === 0) findings.push(fine('permissions', `${data} is private and writable`));
  return [...findings, await checkDisk(data)];
}

/** The mode of a folder or file that users other than its owner can read. */
export function readableByOthers(path: string): string | undefined {
  const { mode } = statSync(path);
  return (mode & 0o077) === 0 ? undefined : (mode & 0o777).toString(8).padStart(4, '0');
}

async function checkParent(data: string): Promise<readonly Finding[]> {
  const parent = dirname(data);
  const isWritable = await access(parent, constants.W_OK).then(
    () => true,
    () => false,
  );
  return [
    isWritable
      ? fine('permissions', `${data} does not exist yet; the first start creates it`)
      : problem(
          'permissions',
          `${data} does not exist, and this user cannot create it in ${parent}`,
          'Create it as root and give it to the user of the service, or choose another folder with --data.',
        ),
  ];
}

async function checkDisk(folder: string): Promise<Finding> {
  if (!existsSync(folder)) return warning('disk', `${folder} does not exist`, 'Choose another folder with --data.');
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  const text = `${free.toLocaleString('en')} MiB are free in ${folder}`;
  if (free < LITTLE_MIB)
    return problem(
      'disk',
      text,
      'Free space: settings cannot be changed and the query log is not stored on a full disk.',
    );
  return free < LOW_MIB
    ? warning('disk', text, 'Free space, or shorten the retention of the query log.')
    : fine('disk', text);
}

const BUILT_AT = Date.UTC(2026, 0, 1);

/** The clock of a machine without a battery starts in the past: certificates are then not valid yet, and cookies expire. */
export function checkClock(now: number, serverTime: number | undefined): Finding {
  const MOST_SECONDS = 60;
  const text = `the clock shows ${new Date(now).toISOString()}`;
  const advice = 'Enable time synchronisation, for example with "timedatectl set-ntp true".';
  if (now < BUILT_AT) return problem('clock', `${text}, which is before the build date of this program`, advice);
  if (serverTime === undefined) return fine('clock', `${text}; it was not compared with another clock`);
  const off = Math.round(Math.abs(now - serverTime) / 1000);
  return off > MOST_SECONDS ? problem('clock', `${text} and is ${off} s off`, advice) : fine('clock', text);
}
