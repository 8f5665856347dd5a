import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseHostsFile } from '../domain/hosts-file.ts';
import { formatIp } from '../kit/ip-address.ts';
import type { RecordSource } from '../resolver/local-names/record-table.ts';

const CHECK_MS = 2000;
const MAX_RECORDS = 100_000;

export type HostsFileDeps = {
  readonly path: string;
  readonly use: (records: readonly RecordSource[]) => Promise<void>;
  readonly warn: (problem: string, details: object) => void;
};

/** Passes the records of the operator's hosts file to the resolver, and again whenever the file changes. */
export async function watchHostsFile({ path, use, warn }: HostsFileDeps) {
  let current: string | undefined;

  const load = async (): Promise<void> => {
    try {
      const text = await readFile(path, 'utf8');
      if (text === current) return;
      current = text;
      const { records, errors } = recordsOf(text);
      const [first] = errors;
      if (first) warn('the hosts file has invalid lines', { path, lines: errors.length, first });
      if (records.length > MAX_RECORDS)
        warn(`only the first ${MAX_RECORDS} records of the hosts file are used`, { path });
      await use(records.slice(0, MAX_RECORDS));
    } catch (err) {
      // The records of the last version stay in use.
      warn('failed to read the hosts file', { path, err });
    }
  };

  await load();
  // A file that is replaced by another has the same path: polling notices that too.
  const onChange = (): void => void load();
  watchFile(path, { interval: CHECK_MS, persistent: false }, onChange);
  return { stop: (): void => unwatchFile(path, onChange) };
}

function recordsOf(text: string) {
  const { entries, errors } = parseHostsFile(text);
  const records = entries.flatMap(({ address, names }) =>
    names.map(
      (name): RecordSource => ({
        name,
        type: address.family === 'V4' ? 'A' : 'AAAA',
        value: formatIp(address),
        ttlSeconds: undefined,
      }),
    ),
  );
  return { records, errors };
}
