import type { LastKnown } from '../dns-server/directory-feed.ts';
import { type DirectorySnapshot, readSnapshot, snapshotPath } from '../dns-server/directory-snapshot.ts';
import type { DnsServiceDeps } from './dns-service.ts';

/** The accounts of the snapshot if the store cannot be read, or if it knows the changes since; otherwise the store is read. */
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
