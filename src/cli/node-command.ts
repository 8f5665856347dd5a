import type { Nodes } from '../app/open-nodes.ts';
import { type Flags, flagsHelp, parseFlags } from './flags.ts';
import { messageOf } from './message-of.ts';
import { readStoreSettings, storeFlags } from './store-settings.ts';

const flags = {
  ...storeFlags,
  name: { value: 'NAME', help: 'name of the node' },
  json: { help: 'print the result as JSON' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Flags;

type Verb = {
  readonly summary: string;
  readonly run: (nodes: Nodes, name: () => string) => Promise<object | readonly object[]>;
};

const verbs: Readonly<Record<string, Verb>> = {
  create: { summary: 'create a node and print its key once: --name', run: (nodes, name) => nodes.create(name()) },
  list: { summary: 'list nodes with their last reports', run: (nodes) => nodes.list() },
  revoke: { summary: 'revoke the key of a node: --name', run: (nodes, name) => nodes.revoke(name()) },
};

const usage = `Usage: weir node VERB [FLAGS]

Keys of DNS nodes that have no database and follow this installation.

${Object.entries(verbs)
  .map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`)
  .join('\n')}

${flagsHelp(flags)}

The service may be running or stopped.

Examples:
  weir node create --name edge-berlin
  weir node list --json
  weir node revoke --name edge-berlin`;

export async function run([verb = '', ...words]: readonly string[]): Promise<number> {
  const parsed = parseFlags(words, flags);
  if (!parsed.ok) return fail(`${parsed.error} (see weir node --help)`);
  const { given, unknown } = parsed.value;
  if (['--help', '-h', 'help', ''].includes(verb) || given.has('help')) {
    console.log(usage);
    return verb === '' ? 1 : 0;
  }
  if (unknown.length > 0) return fail(`unknown option ${unknown[0]} (see weir node --help)`);
  const chosen = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!chosen) return fail(`unknown command "${verb}"; available: ${Object.keys(verbs).join(', ')}`);
  const name = (): string => {
    const found = given.get('name')?.[0];
    if (found === undefined) throw new Error('say --name');
    return found;
  };
  try {
    const { openNodes } = await import('../app/open-nodes.ts');
    const nodes = await openNodes(await readStoreSettings(given), Date.now);
    try {
      const result = await chosen.run(nodes, name);
      console.log(given.has('json') ? JSON.stringify(result) : inWords(result));
    } finally {
      await nodes.close();
    }
    return 0;
  } catch (error) {
    return fail(messageOf(error));
  }
}

function fail(message: string): number {
  console.error(`weir: ${message}`);
  return 1;
}

const inWords = (result: object | readonly object[]): string =>
  Array.isArray(result) ? result.map(lineOf).join('\n') || 'no nodes' : lineOf(result);

const lineOf = (result: object): string =>
  Object.entries(result)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('  ');
