import type { Nodes } from '../app/open-nodes.ts';
import type { Flags } from './flags.ts';
import { storeFlags } from './store-settings.ts';
import { lineOf, outputFlags, runVerb, type Verbs } from './verb-command.ts';

const flags = {
  ...storeFlags,
  name: { value: 'NAME', help: 'name of the node' },
  ...outputFlags,
} as const satisfies Flags;

const verbs: Verbs<Nodes, keyof typeof flags> = {
  create: {
    summary: 'create a node and print its key once: --name',
    run: (nodes, { value }) => nodes.create(value('name')),
  },
  list: { summary: 'list nodes with their last reports', run: (nodes) => nodes.list() },
  revoke: { summary: 'revoke the key of a node: --name', run: (nodes, { value }) => nodes.revoke(value('name')) },
};

export const run = (words: readonly string[]): Promise<number> =>
  runVerb(
    {
      name: 'node',
      flags,
      verbs,
      about: 'Keys of DNS nodes that have no database and follow this installation.',
      examples: ['create --name edge-berlin', 'list --json', 'revoke --name edge-berlin'],
      open: async (settings) => (await import('../app/open-nodes.ts')).openNodes(settings, Date.now),
      inWords,
    },
    words,
  );

const inWords = (result: object): string =>
  Array.isArray(result) ? result.map(lineOf).join('\n') || 'no nodes' : lineOf(result);
