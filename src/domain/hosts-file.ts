import { formatIp, type IpAddress, parseIp } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { parseDnsName } from './dns-name.ts';
import type { DomainError } from './domain-error.ts';
import type { ProfileId } from './ids.ts';
import { conflictMessage, type LocalRecord, MAX_LOCAL_RECORDS, recordIndex } from './local-records.ts';

type HostsEntry = { readonly line: number; readonly address: IpAddress; readonly names: readonly string[] };
type LineError = { readonly line: number; readonly message: string };
type HostsFile = { readonly entries: readonly HostsEntry[]; readonly errors: readonly LineError[] };

// Names of the local machine, not of hosts in the network.
const ownNames: ReadonlySet<string> = new Set([
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost4.localdomain4',
  'localhost6',
  'localhost6.localdomain6',
  'local',
  'broadcasthost',
  'ip6-localhost',
  'ip6-loopback',
  'ip6-localnet',
  'ip6-mcastprefix',
  'ip6-allnodes',
  'ip6-allrouters',
  'ip6-allhosts',
]);

/** Reads a file in the format of hosts(5). Names of the machine itself, such as `localhost`, are left out. */
export function parseHostsFile(text: string): HostsFile {
  const entries: HostsEntry[] = [];
  const errors: LineError[] = [];
  for (const [index, lineText] of text
    .replace(/^\u{feff}/u, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = index + 1;
    const [first, ...words] = lineText.replace(/#.*/, '').trim().split(/\s+/);
    if (first === undefined || first === '') continue;
    const names = words.filter((word) => !ownNames.has(word.toLowerCase()));
    if (words.length > 0 && names.length === 0) continue;
    const entry = readEntry(first, names);
    if (entry.ok) entries.push({ line, ...entry.value });
    else errors.push({ line, message: entry.error });
  }
  return { entries, errors };
}

function readEntry(first: string, words: readonly string[]): Result<Omit<HostsEntry, 'line'>, string> {
  const address = parseIp(first);
  if (!address) return err(`"${shown(first)}" is not an IP address`);
  if (words.length === 0) return err('a host name must follow the address');
  const names = words.map(parseDnsName);
  const at = names.indexOf(undefined);
  if (at >= 0) return err(`"${shown(words[at]!)}" is not a host name`);
  return ok({ address, names: [...new Set(names as readonly string[])] });
}

const shown = (text: string): string => text.slice(0, 100);

type HostsImport = {
  readonly added: readonly LocalRecord[];
  /** Number of records that existed already. */
  readonly unchanged: number;
  readonly errors: readonly LineError[];
};

/** The records that a hosts file adds to those of an account. */
export function importHosts(
  existing: readonly LocalRecord[],
  text: string,
  {
    account,
    profile,
    newId,
  }: Pick<LocalRecord, 'account'> & { readonly profile: ProfileId | undefined; readonly newId: () => string },
): Result<HostsImport, DomainError> {
  const { entries, errors: lineErrors } = parseHostsFile(text);
  const index = recordIndex(existing);
  const added: LocalRecord[] = [];
  const errors: LineError[] = [...lineErrors];
  let unchanged = 0;
  for (const { line, address, names } of entries)
    for (const name of names) {
      const type = address.family === 'V4' ? 'A' : 'AAAA';
      const content = { profile, name, type, value: formatIp(address), ttlSeconds: undefined } as const;
      const conflict = index.conflictOf(content);
      if (conflict === 'duplicate') unchanged += 1;
      else if (conflict) errors.push({ line, message: `${name}: ${conflictMessage(conflict)}` });
      else {
        const record = { id: newId(), account, ...content };
        index.add(record);
        added.push(record);
      }
    }
  if (existing.length + added.length > MAX_LOCAL_RECORDS)
    return err({ kind: 'limit reached', what: 'localRecords', limit: MAX_LOCAL_RECORDS });
  return ok({ added, unchanged, errors: errors.sort((a, b) => a.line - b.line) });
}
