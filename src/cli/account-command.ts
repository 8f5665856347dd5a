import { text as readText } from 'node:stream/consumers';
import type { Accounts } from '../app/open-accounts.ts';
import { type Flags, flagsHelp, type Given, parseFlags } from './flags.ts';
import { messageOf } from './message-of.ts';
import { readStoreSettings, storeFlags } from './store-settings.ts';

const flags = {
  ...storeFlags,
  email: { value: 'ADDRESS', help: 'whose account' },
  'password-stdin': { help: 'read the password from standard input' },
  'without-second-factor': { help: 'with passwd: switch the second factor off, for those who have lost it' },
  name: { value: 'NAME', help: 'what to call the key' },
  plan: { value: 'PLAN', help: 'plan of the new account' },
  'time-zone': { value: 'ZONE', help: 'time zone of the new account, as Europe/Berlin' },
  set: { value: 'KIND=NUMBER…', many: true, help: 'limits apart from the plan; KIND= takes one back' },
  yes: { help: 'delete without asking' },
  json: { help: 'print the result as JSON' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Flags;

type Verb = { readonly summary: string; readonly run: (accounts: Accounts, asked: Asked) => Promise<object> };
type Asked = { readonly value: (name: keyof typeof flags) => string; readonly given: Given };

const verbs: Readonly<Record<string, Verb>> = {
  create: {
    summary: 'create an account and its owner: --email, --password-stdin',
    run: async (accounts, { value, given }) =>
      accounts.create({
        email: value('email'),
        password: await readPassword(given),
        ...(given.has('plan') && { plan: value('plan') }),
        ...(given.has('time-zone') && { timeZone: value('time-zone') }),
      }),
  },
  list: {
    summary: 'all accounts',
    run: async (accounts) => ({ accounts: await accounts.list() }),
  },
  passwd: {
    summary: 'set a new password and end all sign-ins: --email, --password-stdin',
    run: async (accounts, { value, given }) => {
      await accounts.changePassword(value('email'), await readPassword(given), given.has('without-second-factor'));
      return { email: value('email') };
    },
  },
  key: {
    summary: 'create an API key, shown only now: --email, --name',
    run: (accounts, { value }) => accounts.createKey(value('email'), value('name')),
  },
  limits: {
    summary: 'show or set limits of one account: --email, --set devices=50',
    run: async (accounts, { value, given }) => {
      const { id, plan, limitOverrides } = await accounts.setLimits(
        value('email'),
        await readLimits(given.get('set') ?? []),
      );
      return { id, plan, limits: limitOverrides };
    },
  },
  operator: {
    summary: 'make a user the operator of this installation: --email',
    run: (accounts, { value }) => accounts.setOperator(value('email')),
  },
  delete: {
    summary: 'delete an account and all it has: --email, --yes',
    run: async (accounts, { value, given }) => {
      if (!given.has('yes')) throw new Error(`this deletes all that ${value('email')} has; say --yes to do it`);
      await accounts.remove(value('email'));
      return { email: value('email') };
    },
  },
};

const usage = `Usage: weir account VERB [FLAGS]

${Object.entries(verbs)
  .map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`)
  .join('\n')}

${flagsHelp(flags)}

Works with the service running or not.

Examples:
  weir account create --email me@example.org --password-stdin < password.txt
  weir account key --email me@example.org --name laptop --json
  weir account limits --email me@example.org --set devices=50 userRules=1000`;

export async function run([verb = '', ...words]: readonly string[]): Promise<number> {
  const parsed = parseFlags(words, flags);
  if (!parsed.ok) return fail(`${parsed.error} (see weir account --help)`);
  const { given, unknown } = parsed.value;
  if (['--help', '-h', 'help', ''].includes(verb) || given.has('help')) {
    console.log(usage);
    return verb === '' ? 1 : 0;
  }
  if (unknown.length > 0) return fail(`${unknown[0]} is not known (see weir account --help)`);
  const chosen = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!chosen) return fail(`there is no "weir account ${verb}"; there are ${Object.keys(verbs).join(', ')}`);
  try {
    const { openAccounts } = await import('../app/open-accounts.ts');
    await using accounts = disposable(await openAccounts(await readStoreSettings(given), Date.now));
    const value = (name: keyof typeof flags): string => {
      const found = given.get(name)?.[0];
      if (found === undefined) throw new Error(`say --${name}`);
      return found;
    };
    const result = await chosen.run(accounts, { value, given });
    console.log(given.has('json') ? JSON.stringify(result) : inWords(result));
    return 0;
  } catch (error) {
    return fail(messageOf(error));
  }
}

const disposable = (accounts: Accounts): Accounts & AsyncDisposable => ({
  ...accounts,
  [Symbol.asyncDispose]: accounts.close,
});

function fail(message: string): number {
  console.error(`weir: ${message}`);
  return 1;
}

async function readPassword(given: Given): Promise<string> {
  // As a flag it would stand in the list of processes for everybody to read.
  if (!given.has('password-stdin')) throw new Error('say --password-stdin and give the password on standard input');
  return (await readText(process.stdin)).replace(/\r?\n$/, '');
}

async function readLimits(texts: readonly string[]): Promise<Record<string, number | undefined>> {
  const { limitKinds } = await import('../operations/accounts.ts');
  return Object.fromEntries(
    texts.map((text) => {
      const [, kind = '', number = ''] = /^(\w+)=(\d{0,10})$/.exec(text) ?? [];
      if (!(limitKinds as readonly string[]).includes(kind))
        throw new Error(`"${text}" is not KIND=NUMBER; kinds are ${limitKinds.join(', ')}`);
      return [kind, number === '' ? undefined : Number(number)];
    }),
  );
}

function inWords(result: object): string {
  if ('accounts' in result && Array.isArray(result.accounts))
    return result.accounts.map((account: object) => lineOf(account)).join('\n') || 'no accounts';
  return lineOf(result);
}

const lineOf = (result: object): string =>
  Object.entries(result)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('  ');
