import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A user of the system other than root. `name` is undefined if only numbers are given. */
export type SystemUser = {
  readonly name: string | undefined;
  readonly uid: number;
  readonly gid: number;
  /** All groups, including `gid`. */
  readonly groups: readonly number[];
};

type Files = { readonly passwd: string; readonly group: string };

/** By name from the texts of /etc/passwd and /etc/group, or by `uid` or `uid:gid`, which need no entry there. Never root. */
export function findUser(nameOrIds: string, { passwd, group }: Files): SystemUser | undefined {
  const entries = passwd.split('\n').flatMap((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return uid !== undefined && gid !== undefined ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
  const numbers = /^(\d+)(?::(\d+))?$/.exec(nameOrIds);
  const byNumber = (): Omit<SystemUser, 'groups'> => {
    const uid = Number(numbers![1]);
    const passwdEntry = entries.find((entry) => entry.uid === uid);
    if (numbers![2] !== undefined) return { name: undefined, uid, gid: Number(numbers![2]) };
    return passwdEntry ?? { name: undefined, uid, gid: uid };
  };
  const found = numbers ? byNumber() : entries.find(({ name }) => name === nameOrIds);
  if (!found || found.uid === 0 || found.gid === 0) return undefined;
  return { ...found, groups: [found.gid, ...groupsOf(found.name, group).filter((gid) => gid !== found.gid)] };
}

const groupsOf = (user: string | undefined, group: string): number[] =>
  group.split('\n').flatMap((line) => {
    const [, , gid, members = ''] = line.split(':');
    return user !== undefined && members.split(',').includes(user) ? [Number(gid)] : [];
  });

/** The first of the paths, or of their parent folders, that the user cannot read by its mode; undefined if all are readable. */
export function firstUnreadable(paths: readonly string[], user: SystemUser): string | undefined {
  for (const path of paths.map((each) => resolve(each))) {
    if (!isAllowed(path, user, READ)) return path;
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if (!isAllowed(folder, user, SEARCH)) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

const READ = 4;
const SEARCH = 1;

function isAllowed(path: string, { uid, groups }: SystemUser, nameOrIds: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return true;
  const shift = found.uid === uid ? 6 : groups.includes(found.gid) ? 3 : 0;
  const bits = found.isDirectory() ? nameOrIds | SEARCH : nameOrIds;
  return ((found.mode >> shift) & bits) === bits;
}
