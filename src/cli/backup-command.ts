import type { Accounts } from '../app/open-accounts.ts';
import { type Flags, flagsHelp, parseFlags } from './flags.ts';
import { messageOf } from './message-of.ts';
import { readStoreSettings, storeFlags } from './store-settings.ts';

const flags = {
  ...storeFlags,
  file: { short: 'f', value: 'FILE', help: 'the backup' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Flags;

const usage = (command: string, what: string): string => `Usage: weir ${command} --file FILE [FLAGS]

${what}

${flagsHelp(flags)}`;

const command =
  (name: string, what: string, work: (accounts: Accounts, file: string) => Promise<void>) =>
  async (words: readonly string[]): Promise<number> => {
    try {
      const parsed = parseFlags(words, flags);
      if (!parsed.ok) throw new Error(parsed.error);
      const { given } = parsed.value;
      const file = given.get('file')?.[0];
      if (given.has('help') || file === undefined) {
        console.log(usage(name, what));
        return given.has('help') ? 0 : 1;
      }
      const { openAccounts } = await import('../app/open-accounts.ts');
      const accounts = await openAccounts(await readStoreSettings(given), Date.now);
      try {
        await work(accounts, file);
      } finally {
        await accounts.close();
      }
      return 0;
    } catch (error) {
      console.error(`weir: ${messageOf(error)}`);
      return 1;
    }
  };

export const runBackup = command(
  'backup',
  'Writes all accounts, DNS servers and devices to a file. The service may be running. The query log is not included.',
  (accounts, file) => accounts.backup(file),
);

export const runRestore = command(
  'restore',
  'Restores a backup into a store without accounts. SQLite backups can be restored into PostgreSQL and vice versa.',
  (accounts, file) => accounts.restore(file),
);
