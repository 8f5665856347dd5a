import { lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { setNoNewPrivileges } from '../platform/libc.ts';
import { keepPrioritiesAllowed } from '../platform/real-time-priority.ts';
import { findUser, firstUnreadable, type SystemUser } from '../platform/system-user.ts';
import type { Settings } from '../settings/settings.ts';

/** Tried in order with --user auto. A numeric id does not need an entry in /etc/passwd. */
const AUTO_USERS = ['weir', '65532'];

type DropSettings = Pick<
  Settings,
  | 'user'
  | 'data'
  | 'certificate'
  | 'certificateKey'
  | 'geoDatabase'
  | 'sourceRoot'
  | 'dangerousList'
  | 'adultList'
  | 'newDomainsList'
>;

/** Logged after the service listens, because programs that start it expect the addresses in the first line. */
export type Notice = (level: 'info' | 'warn', details: object, text: string) => void;

const isRoot = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;

/**
 * For a process started as root: the user to switch to once the ports are bound, or the reason to stay root. Throws if
 * a configured user cannot be used.
 */
export function userToRunAs(settings: DropSettings, notice: Notice): SystemUser | undefined {
  const { user: wanted } = settings;
  if (!isRoot()) {
    if (wanted !== 'auto' && wanted !== 'off')
      notice('warn', { user: wanted }, 'user not changed: not started as root');
    return undefined;
  }
  if (wanted === 'off') return undefined;
  const texts = { passwd: readFileSync('/etc/passwd', 'utf8'), group: readFileSync('/etc/group', 'utf8') };
  const candidates = wanted === 'auto' ? AUTO_USERS : [wanted];
  const user = candidates.map((candidate) => findUser(candidate, texts)).find((found) => found !== undefined);
  const reason = user ? whyNot(settings, user) : `user "${wanted}" does not exist or is root`;
  if (user && reason === undefined) return user;
  if (wanted !== 'auto') throw new Error(`cannot run as ${wanted}: ${reason}`);
  notice(
    'warn',
    { reason },
    'running as root: make the file readable for other users, or set a user that can read it (--user NAME); --user off disables this message',
  );
  return undefined;
}

/** Files that are read after the start: code of threads, certificates and databases. */
function whyNot(settings: DropSettings, user: SystemUser): string | undefined {
  const { certificate, certificateKey, geoDatabase, sourceRoot } = settings;
  const program = dirname(import.meta.dirname);
  const lists = [settings.dangerousList, settings.adultList, settings.newDomainsList].flat().filter(isAbsolute);
  const wanted = [program, import.meta.filename, koffiFile(), sourceRoot];
  const unreadable = firstUnreadable(
    [
      ...wanted.filter((path) => path !== undefined),
      ...certificate,
      ...certificateKey,
      ...geoDatabase,
      ...lists,
      dirname(settings.data),
    ],
    user,
  );
  return unreadable === undefined ? undefined : `${user.name ?? user.uid} cannot read ${unreadable}`;
}

function koffiFile(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('koffi');
  } catch {
    return undefined;
  }
}

/** Changes the owner of the data folder recursively. Symbolic links are not followed. */
export function giveFolder(path: string, user: SystemUser): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return;
  if (found.uid !== user.uid || found.gid !== user.gid) lchownSync(path, user.uid, user.gid);
  if (found.isDirectory()) for (const name of readdirSync(path)) giveFolder(join(path, name), user);
}

/** Set before any thread starts, because threads inherit it. */
export function forbidNewPrivileges(notice: Notice): void {
  if (!isRoot() || hasNoNewPrivileges()) return;
  const reason = setNoNewPrivileges();
  if (reason !== undefined) notice('warn', { reason }, 'the process may gain privileges by starting other programs');
}

const hasNoNewPrivileges = (): boolean => /^NoNewPrivs:\s*1$/m.test(readFileSync('/proc/self/status', 'utf8'));

/** Drops root for all threads permanently. The ports are already bound. */
export function dropRoot(user: SystemUser, data: string, notice: Notice): void {
  giveFolder(data, user);
  keepPrioritiesAllowed();
  process.setgroups?.([...user.groups]);
  process.setgid?.(user.gid);
  process.setuid?.(user.uid);
  notice('info', { user: user.name, uid: user.uid, gid: user.gid }, 'running without root');
}
