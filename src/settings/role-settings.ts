import type { Settings } from './settings-table.ts';

type Given = { readonly settings: Settings; readonly isDefault: (key: keyof Settings) => boolean };

const dnsListeners = ['dns', 'dot', 'doh'] as const;

const asksForDns = ({ settings, isDefault }: Given): boolean =>
  dnsListeners.some((key) => !isDefault(key) && settings[key] !== 'off');

const rules: readonly {
  readonly role: Settings['role'];
  readonly problem: string;
  readonly isBroken: (input: Given) => boolean;
}[] = [
  { role: 'api', problem: 'an api node does not answer DNS; remove dns, dot and doh', isBroken: asksForDns },
  { role: 'compile', problem: 'a compile node does not answer DNS; remove dns, dot and doh', isBroken: asksForDns },
  {
    role: 'compile',
    problem: 'a compile node has no accounts; remove database',
    isBroken: ({ settings }) => settings.database !== undefined,
  },
  {
    role: 'dns',
    problem: 'a dns node has no web interface and no management API; remove http (health and metrics are on admin)',
    isBroken: ({ isDefault }) => !isDefault('http'),
  },
  {
    role: 'dns',
    problem: 'a dns node has no web interface; remove web-on-doh',
    isBroken: ({ settings, isDefault }) => !isDefault('webOnDoh') && settings.webOnDoh !== 'off',
  },
  {
    role: 'dns',
    problem: 'a dns node needs a listener; dns, dot and doh are off',
    isBroken: ({ settings }) => dnsListeners.every((key) => settings[key] === 'off'),
  },
  {
    role: 'dns',
    problem: 'a dns node needs database, the PostgreSQL database of the nodes that manage the accounts, or controller',
    isBroken: ({ settings }) => settings.database === undefined && settings.controller === undefined,
  },
  {
    role: 'dns',
    problem: 'database and controller: only one of them can be set',
    isBroken: ({ settings }) => settings.database !== undefined && settings.controller !== undefined,
  },
  {
    role: 'dns',
    problem: 'controller needs the key of this node: node-key, or node-key-file',
    isBroken: ({ settings }) =>
      settings.controller !== undefined && (settings.nodeKey === undefined) === (settings.nodeKeyFile === undefined),
  },
  ...(['all', 'api', 'compile'] as const).map((role) => ({
    role,
    problem: 'controller is for dns nodes; set role to dns',
    isBroken: ({ settings }: Given) => settings.controller !== undefined,
  })),
];

/** Problems of settings that conflict with the role of this node. */
export const roleProblems = (input: Given): readonly string[] =>
  rules
    .filter(({ role, isBroken }) => role === input.settings.role && isBroken(input))
    .map(({ role, problem }) => `role: "${role}": ${problem}`);

const switchedOff: { readonly [Role in Settings['role']]: Partial<Settings> } = {
  all: {},
  api: { dns: 'off', dot: 'off', doh: 'off', webOnDoh: 'off' },
  dns: { webOnDoh: 'off' },
  compile: { dns: 'off', dot: 'off', doh: 'off', webOnDoh: 'off' },
};

/** The settings with all features disabled that a node of this role does not have. */
export const settingsOfRole = (settings: Settings): Settings => ({ ...settings, ...switchedOff[settings.role] });
