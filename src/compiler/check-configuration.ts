import { didYouMean } from '../kit/did-you-mean.ts';
import { err, ok, type Result } from '../kit/result.ts';
import {
  type Configuration,
  configurationMembers,
  type Member,
  type Members,
  type Source,
  sourceMembers,
  transformationNames,
  validatorNames,
} from './configuration.ts';
import { parsePattern } from './filters/pattern.ts';

/** A validation error: its path and what was expected there. */
export type ConfigurationIssue = { readonly path: string; readonly message: string };

export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly ConfigurationIssue[];

  constructor(faults: readonly ConfigurationIssue[]) {
    const list = faults.map(({ path, message }) => `\n  ${path === '' ? '' : `${path}: `}${message}`).join('');
    super(`Failed to validate configuration:${list}`);
    this.faults = faults;
  }
}

// Beyond this it is one mistake repeated; stop collecting.
const MAX_FAULTS = 1000;

/** Collects all errors, not only the first. */
export function checkConfiguration(value: unknown): Result<Configuration, readonly ConfigurationIssue[]> {
  const faults: ConfigurationIssue[] = [];
  checkObject(value, '', configurationMembers, faults);
  if (faults.length === 0) checkValidators(value as Configuration, faults);
  return faults.length === 0 ? ok(value as Configuration) : err(faults);
}

function checkObject(value: unknown, path: string, members: Members, faults: ConfigurationIssue[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    faults.push({ path, message: `expected an object with ${listed(requiredOf(members))}, got ${nameOf(value)}` });
    return;
  }
  for (const [key, held] of Object.entries(value)) {
    if (faults.length >= MAX_FAULTS) return;
    // Programs set optional members to undefined; the original ignores such members, too.
    if (held === undefined) continue;
    const found = Object.hasOwn(members, key) ? members[key] : undefined;
    if (found) checkMember(held, join(path, key), found.member, faults);
    else faults.push({ path: join(path, key), message: unknownMember(key, members) });
  }
  for (const key of requiredOf(members)) {
    if ((value as Readonly<Record<string, unknown>>)[key] === undefined)
      faults.push({ path: join(path, key), message: 'is missing and must be given' });
  }
}

function checkMember(value: unknown, path: string, member: Member, faults: ConfigurationIssue[]): void {
  const fault = (message: string): number => faults.push({ path, message });
  switch (member.kind) {
    case 'anything':
      return;
    case 'text':
      if (typeof value !== 'string') fault(`expected text, got ${nameOf(value)}`);
      else if (value === '' && !member.mayBeEmpty) fault('must not be empty');
      return;
    case 'one of':
      if (!member.values.includes(value as string))
        fault(`expected ${listed(member.values, 'or')}, got ${nameOf(value)}`);
      return;
    case 'sources':
      if (!Array.isArray(value)) fault(`expected a list of sources, got ${nameOf(value)}`);
      else if (value.length === 0) fault('must name at least one source');
      else for (const [at, source] of value.entries()) checkObject(source, `${path}[${at}]`, sourceMembers, faults);
      return;
    default:
      checkTexts(value, path, member.kind, faults);
  }
}

function checkTexts(
  value: unknown,
  path: string,
  kind: 'transformations' | 'patterns' | 'texts',
  faults: ConfigurationIssue[],
): void {
  if (!Array.isArray(value)) {
    faults.push({ path, message: `expected a list of texts, got ${nameOf(value)}` });
    return;
  }
  for (const [at, text] of (value as readonly unknown[]).entries()) {
    if (faults.length >= MAX_FAULTS) return;
    const message = typeof text === 'string' ? textFaults[kind](text) : `expected text, got ${nameOf(text)}`;
    if (message) faults.push({ path: `${path}[${at}]`, message });
  }
  if (kind === 'transformations') checkOneValidator(value, path, faults);
}

const textFaults: Record<'transformations' | 'patterns' | 'texts', (text: string) => string | undefined> = {
  transformations: (text) =>
    (transformationNames as readonly string[]).includes(text)
      ? undefined
      : `"${text}" is not a transformation${suggestion(text, transformationNames, 'the transformations are')}`,
  patterns: (text) => {
    const pattern = parsePattern(text);
    return pattern.ok ? undefined : pattern.error;
  },
  texts: () => undefined,
};

function checkOneValidator(names: readonly unknown[], path: string, faults: ConfigurationIssue[]): void {
  const validators = validatorNames.filter((name) => names.includes(name));
  if (validators.length > 1) faults.push({ path, message: `only one of ${listed(validators)} can be used at a time` });
}

/** Two validators at different levels contradict each other: the top-level one would drop what the source's one allows. */
function checkValidators({ transformations = [], sources }: Configuration, faults: ConfigurationIssue[]): void {
  const top = validatorNames.find((name) => transformations.includes(name));
  if (!top) return;
  sources.forEach((source: Source, at) => {
    const own = validatorNames.find((name) => source.transformations?.includes(name));
    if (!own) return;
    const message = `${own} cannot be used here, because the whole list is validated by ${top}`;
    faults.push({ path: `sources[${at}].transformations`, message });
  });
}

const requiredOf = (members: Members): readonly string[] =>
  Object.keys(members).filter((key) => members[key]?.required);

const unknownMember = (key: string, members: Members): string =>
  `is not known${suggestion(key, Object.keys(members), 'known are')}`;

function suggestion(text: string, names: readonly string[], all: string): string {
  const meant = didYouMean(text, names);
  return meant ? `; did you mean "${meant}"?` : `; ${all} ${listed(names)}`;
}

function listed(names: readonly string[], word = 'and'): string {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${word} ${quoted.at(-1)}`;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)}`;
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
