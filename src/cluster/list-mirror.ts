import type { WantedList } from '../filter-lists/list-request.ts';
import { listToken, paths } from './protocol.ts';

/** An unchanged list costs one request without a body. */
const EVERY_SECONDS = 300;

/** Reads lists from the controller; lists with inline rules and generated lists are built locally. */
export function listMirror(locate: (path: string) => URL, { id: node, keyHash }: { id: string; keyHash: string }) {
  const sourceOf = (id: string): string => {
    const url = locate(`${paths.lists}/${encodeURIComponent(id)}`);
    url.search = new URLSearchParams({ node, token: listToken(keyHash, id) }).toString();
    return url.href;
  };
  return {
    mirrored: (lists: readonly WantedList[]): readonly WantedList[] =>
      lists.map(({ given, ...list }) =>
        given && given.kind !== 'configuration' ? { ...list, given } : { ...list, source: sourceOf(list.id) },
      ),
    host: locate('/').hostname,
    everySeconds: EVERY_SECONDS,
  };
}
