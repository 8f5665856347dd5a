import type { LastKnown } from '../dns-server/directory-feed.ts';
import { type DirectorySnapshot, readSnapshot, snapshotPath } from '../dns-server/directory-snapshot.ts';
import type { DnsServiceDeps } from './dns-service.ts';

/** Uses the accounts of the snapshot if the store cannot be read, or has the changes since the snapshot; otherwise reads the store. */
export async function accountsAtStart(
  data: string,
  unavailable: DirectorySnapshot | undefined,
  continued: (snapshot: DirectorySnapshot) => LastKnown | undefined,
): Promise<Pick<DnsServiceDeps, 'lastKnown' | 'snapshotFiles'>> {
  if (unavailable) return { lastKnown: { blocks: unavailable.blocks, changes: 'replaced' } };
  const found = await readSnapshot(snapshotPath(data));
  const lastKnown = found.kind === 'there' ? continued(found.snapshot) : undefined;
  return { lastKnown, snapshotFiles: lastKnown && found.kind === 'there' ? found.snapshot.files : undefined };
}
