import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Seen } from '../filter-lists/list-state.ts';
import type { SharedLists } from '../filter-lists/shared-lists.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** Undefined without a database server: the node downloads its lists. */
export const sharedListsOf = (
  store: Store,
  { database, maxCompilationSizeBytes: maxBytes }: Pick<Settings, 'database' | 'maxCompilationSizeBytes'>,
): SharedLists | undefined => (database === undefined ? undefined : sharedFilterLists(store, { maxBytes }));

/** Filter lists of all nodes on a database: the leader downloads them and stores their texts there. */
export const sharedFilterLists = (
  { read, inTransaction, isLeader }: Pick<Store, 'read' | 'inTransaction' | 'isLeader'>,
  { maxBytes }: { readonly maxBytes: number },
): SharedLists => ({
  isLeader: () => isLeader('filter lists'),
  versions: async () => new Map((await read.sharedLists.all()).map((list) => [list.id, list])),
  async text(version) {
    const found = await read.sharedLists.text(version);
    if (!found) return undefined;
    const text = await decompress(found.text, { maxOutputLength: maxBytes });
    return { text, seen: found.seen === null ? undefined : (JSON.parse(found.seen) as readonly Seen[]) };
  },
  async publish({ id, source, account = null }, version, readText) {
    const isStored = await inTransaction(({ sharedLists }) => sharedLists.confirm({ id, source, version }));
    if (isStored) return;
    const { text, seen } = await readText();
    const packed = await compress(text, FAST);
    const list = { id, source, version, account, text: packed, seen: seen ? JSON.stringify(seen) : null };
    await inTransaction(({ sharedLists }) => sharedLists.put(list));
  },
  remove: (id) => inTransaction(({ sharedLists }) => sharedLists.remove(id)),
});
