import type { Checked } from './list-jobs.ts';
import type { ListsLog } from './lists-settings.ts';

type Before = { readonly hasVersion: boolean; readonly problemBefore: string | undefined };

/** A problem is told once, when it comes or changes, and not at every check. */
export function tellOfCheck(
  log: ListsLog,
  list: string,
  checked: Checked,
  { hasVersion, problemBefore }: Before,
): void {
  switch (checked.kind) {
    case 'new':
      log.info({ list, rules: checked.version.rules }, 'a filter list has a new version');
      return;
    case 'unchanged':
      if (problemBefore !== undefined) log.info({ list }, 'a filter list has no problem any more');
      return;
    case 'failed':
    case 'not used': {
      const details = checked.kind === 'failed' ? { details: checked.details } : {};
      const words = hasVersion
        ? 'the last good version of a filter list stays in use'
        : 'failed to download a filter list';
      log[checked.why === problemBefore ? 'debug' : 'warn']({ list, problem: checked.why, ...details }, words);
    }
  }
}
