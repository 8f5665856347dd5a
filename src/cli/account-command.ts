import { text as readText } from 'node:stream/consumers';
import type { Accounts } from '../app/open-accounts.ts';
import type { Flags, Given } from './flags.ts';
import { storeFlags } from './store-settings.ts';
import { lineOf, outputFlags, runVerb, type Verbs } from './verb-command.ts';

const flags = {
  ...storeFlags,
  email: { value: 'ADDRESS', help: 'e-mail address of the user' },
  'password-stdin': { help: 'read the password from standard input' },
  'without-second-factor': { help: 'with passwd: also disable two-factor authentication and remove passkeys' },
  name: { value: 'NAME', help: 'name of the API key' },
  plan: { value: 'PLAN', help: 'plan of the new account' },
  'time-zone': { value: 'ZONE', help: 'time zone of the new account, for example Europe/Berlin' },
  set: { value: 'KIND=NUMBER…', many: true, help: 'override limits of the plan; KIND= removes an override' },
  yes: { help: 'confirm the deletion' },
  ...outputFlags,
} as const satisfies Flags;

const verbs: Verbs<Accounts, keyof typeof flags> = {
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
    summary: 'list all accounts',
    run: async (accounts) => ({ accounts: await accounts.list() }),
  },
  passwd: {
    summary: 'set a new password and end all sessions: --email, --password-stdin',
    run: async (accounts, { value, given }) => {
      await accounts.changePassword(value('email'), await readPassword(given), given.has('without-second-factor'));
      return { email: value('email') };
    },
  },
  key: {
    summary: 'create an API key and print it once: --email, --name',
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
    summary: 'delete an account and all its data: --email, --yes',
    run: async (accounts, { value, given }) => {
      if (!given.has('yes'))
        throw new Error(`this deletes the account of ${value('email')} and all its data; add --yes to confirm`);
      await accounts.remove(value('email'));
      return { email: value('email') };
    },
  },
};

export const run = (words: readonly string[]): Promise<number> =>
  runVerb(
    {
      name: 'account',
      flags,
      verbs,
      examples: [
        'create --email me@example.org --password-stdin < password.txt',
        'key --email me@example.org --name laptop --json',
        'limits --email me@example.org --set devices=50 userRules=1000',
      ],
      open: async (settings) => (await import('../app/open-accounts.ts')).openAccounts(settings, Date.now),
      inWords,
    },
    words,
  );

async function readPassword(given: Given): Promise<string> {
  // As a flag it would be visible in the process list.
  if (!given.has('password-stdin')) throw new Error('add --password-stdin and pass the password on standard input');
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
