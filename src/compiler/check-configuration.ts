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
  readonly issues: readonly ConfigurationIssue[];

  constructor(issues: readonly ConfigurationIssue[]) {
    const list = issues.map(({ path, message }) => `\n  ${path === '' ? '' : `${path}: `}${message}`).join('');
    super(`Failed to validate configuration:${list}`);
    this.issues = issues;
  }

  /** @deprecated The former name of `issues`. */
  get faults(): readonly ConfigurationIssue[] {
    return this.issues;
  }
}

// Beyond this number it is usually one mistake repeated, so no more errors are collected.
const MAX_ISSUES = 1000;

/** Collects all errors, not only the first. */
export function checkConfiguration(value: unknown): Result<Configuration, readonly ConfigurationIssue[]> {
  const issues: ConfigurationIssue[] = [];
  checkObject(value, '', configurationMembers, issues);
  if (issues.length === 0) checkValidators(value as Configuration, issues);
  return issues.length === 0 ? ok(value as Configuration) : err(issues);
}

function checkObject(value: unknown, path: string, members: Members, issues: ConfigurationIssue[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    issues.push({ path, message: `expected an object with ${listed(requiredOf(members))}, got ${nameOf(value)}` });
    return;
  }
  for (const [key, held] of Object.entries(value)) {
    if (issues.length >= MAX_ISSUES) return;
    // Programs set optional members to undefined; the original ignores such members, too.
    if (held === undefined) continue;
    const found = Object.hasOwn(members, key) ? members[key] : undefined;
    if (found) checkMember(held, join(path, key), found.member, issues);
    else issues.push({ path: join(path, key), message: unknownMember(key, members) });
  }
  for (const key of requiredOf(members)) {
    if ((value as Readonly<Record<string, unknown>>)[key] === undefined)
      issues.push({ path: join(path, key), message: 'is missing and must be given' });
  }
}

function checkMember(value: unknown, path: string, member: Member, issues: ConfigurationIssue[]): void {
  const report = (message: string): number => issues.push({ path, message });
  switch (member.kind) {
    case 'anything':
      return;
    case 'text':
      if (typeof value !== 'string') report(`expected text, got ${nameOf(value)}`);
      else if (value === '' && !member.mayBeEmpty) report('must not be empty');
      return;
    case 'one of':
      if (!member.values.includes(value as string))
        report(`expected ${listed(member.values, 'or')}, got ${nameOf(value)}`);
      return;
    case 'sources':
      if (!Array.isArray(value)) report(`expected a list of sources, got ${nameOf(value)}`);
      else if (value.length === 0) report('must name at least one source');
      else for (const [at, source] of value.entries()) checkObject(source, `${path}[${at}]`, sourceMembers, issues);
      return;
    default:
      checkTexts(value, path, member.kind, issues);
  }
}

function checkTexts(
  value: unknown,
  path: string,
  kind: 'transformations' | 'patterns' | 'texts',
  issues: ConfigurationIssue[],
): void {
  if (!Array.isArray(value)) {
    issues.push({ path, message: `expected a list of texts, got ${nameOf(value)}` });
    return;
  }
  for (const [at, text] of (value as readonly unknown[]).entries()) {
    if (issues.length >= MAX_ISSUES) return;
    const message = typeof text === 'string' ? textFaults[kind](text) : `expected text, got ${nameOf(text)}`;
    if (message) issues.push({ path: `${path}[${at}]`, message });
  }
  if (kind === 'transformations') checkOneValidator(value, path, issues);
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

function checkOneValidator(names: readonly unknown[], path: string, issues: ConfigurationIssue[]): void {
  const validators = validatorNames.filter((name) => names.includes(name));
  if (validators.length > 1) issues.push({ path, message: `only one of ${listed(validators)} can be used at a time` });
}

/** Validators at both levels conflict: the top-level one would drop rules that the source's one allows. */
function checkValidators({ transformations = [], sources }: Configuration, issues: ConfigurationIssue[]): void {
  const top = validatorNames.find((name) => transformations.includes(name));
  if (!top) return;
  sources.forEach((source: Source, at) => {
    const validator = validatorNames.find((name) => source.transformations?.includes(name));
    if (!validator) return;
    const message = `${validator} cannot be used here, because the whole list is validated by ${top}`;
    issues.push({ path: `sources[${at}].transformations`, message });
  });
}

const requiredOf = (members: Members): readonly string[] =>
  Object.keys(members).filter((key) => members[key]?.required);

const unknownMember = (key: string, members: Members): string =>
  `is not known${suggestion(key, Object.keys(members), 'known are')}`;

function suggestion(text: string, names: readonly string[], all: string): string {
  const closest = didYouMean(text, names);
  return closest ? `; did you mean "${closest}"?` : `; ${all} ${listed(names)}`;
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
