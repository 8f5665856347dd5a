import { didYouMean } from '../kit/did-you-mean.ts';

type Command = {
  readonly summary: string;
  readonly load: () => Promise<{ run(words: readonly string[]): Promise<number> }>;
};

const commands: Readonly<Record<string, Command>> = {
  compile: { summary: 'compile filter lists into one', load: () => import('./compile-command.ts') },
  serve: { summary: 'run the service', load: () => import('./serve-command.ts') },
  query: { summary: 'show how a query is answered, and why', load: () => import('./query-command.ts') },
  doctor: { summary: 'check this machine for the service', load: () => import('./doctor-command.ts') },
  account: { summary: 'create, list and delete accounts, keys and limits', load: () => import('./account-command.ts') },
  node: { summary: 'create, list and revoke keys of DNS nodes', load: () => import('./node-command.ts') },
  dev: { summary: 'generate traffic for tests and demonstrations', load: () => import('./dev-command.ts') },
  backup: {
    summary: 'write all accounts to a backup file',
    load: async () => ({ run: (await import('./backup-command.ts')).runBackup }),
  },
  restore: {
    summary: 'restore a backup into an empty store',
    load: async () => ({ run: (await import('./backup-command.ts')).runRestore }),
  },
};

const usage = `Weir: DNS filtering in one program.

Usage: weir COMMAND

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`)
  .join('\n')}
  --version    print the version

Run "weir COMMAND --help" for options and examples.`;

/** Runs a command and returns its exit code. */
export async function runProgram([name, ...words]: readonly string[]): Promise<number> {
  if (name === '--help' || name === '-h' || name === 'help') {
    console.log(usage);
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return (await command.load()).run(words);
  const suggestion = didYouMean(name ?? '', Object.keys(commands));
  console.error(
    name === undefined
      ? usage
      : `weir: unknown command "${name}"${suggestion ? `; did you mean "${suggestion}"?` : ''} (see weir --help)`,
  );
  return 1;
}
