import { withoutSecretsOfUrls } from '../domain/url-secrets.ts';
import type { Checked } from './list-jobs.ts';
import type { ListsLog } from './lists-settings.ts';

type Before = { readonly hasVersion: boolean; readonly problemBefore: string | undefined };

/** Logs a problem when it appears or changes, not at every check. */
export function logCheck(log: ListsLog, list: string, checked: Checked, { hasVersion, problemBefore }: Before): void {
  switch (checked.kind) {
    case 'new':
      log.info({ list, rules: checked.version.rules }, 'filter list updated');
      return;
    case 'unchanged':
      if (problemBefore !== undefined) log.info({ list }, 'filter list recovered');
      return;
    case 'failed':
    case 'not used': {
      const details =
        checked.kind === 'failed' && checked.details !== undefined
          ? { details: withoutSecretsOfUrls(checked.details) }
          : {};
      const words = hasVersion
        ? 'filter list not updated, keeping the last good version'
        : 'failed to download a filter list';
      log[checked.why === problemBefore ? 'debug' : 'warn'](
        { list, problem: withoutSecretsOfUrls(checked.why), ...details },
        words,
      );
    }
  }
}
