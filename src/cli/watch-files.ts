import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

// Editors write a file in several steps.
const SETTLE_MS = 100;

/** Watches the folders of files, because editors replace files instead of changing them. */
export function watchFiles() {
  const folders = new Map<string, { readonly watcher: FSWatcher; readonly names: Set<string> }>();
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const noteChange = (): void => {
    hasChanged = true;
    wake?.();
  };

  function add(path: string): void {
    const folder = dirname(path);
    const watched = folders.get(folder);
    if (watched) {
      watched.names.add(basename(path));
      return;
    }
    const names = new Set([basename(path)]);
    try {
      const watcher = watch(folder, (_event, name) => {
        if (name === null || names.has(name)) noteChange();
      });
      // A folder that is removed is not watched any more.
      watcher.on('error', noteChange);
      folders.set(folder, { watcher, names });
    } catch (error) {
      // Ignores text that is not a path, and folders that do not exist.
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }

  /** Resolves once files have changed since the last call and no further changes follow; rejects when aborted. */
  async function changed(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      wake = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      if (hasChanged) wake();
    });
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    wake = undefined;
    hasChanged = false;
  }

  return {
    add,
    changed,
    count: (): number => folders.size,
    close(): void {
      for (const { watcher } of folders.values()) watcher.close();
    },
  };
}
