import { err, ok, type Result } from '../kit/result.ts';
import type { DomainError, FieldError } from './domain-error.ts';
import type { AccountId } from './ids.ts';
import { nameRequirements, parseName } from './name.ts';
import type { Switched } from './profile.ts';

/** A filter list of one account. */
export type CustomList = {
  readonly id: string;
  readonly account: AccountId;
  readonly name: string;
  readonly source: CustomSource;
  readonly createdAt: number;
};

export type CustomSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'rules'; readonly rules: string }
  /** A validated compiler configuration. */
  | { readonly kind: 'configuration'; readonly configuration: object };

export type CustomListInput = {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly rules?: string | undefined;
  readonly configuration?: object | undefined;
};

const MAX_URL_LENGTH = 2048;
const MAX_RULES_LENGTH = 256 * 1024;

type Reading = { readonly [Member in 'url' | 'rules' | 'configuration']: (input: CustomListInput) => Read | undefined };
type Read = { readonly source: CustomSource } | { readonly message: string };

const reading: Reading = {
  url: ({ url }) => (url === undefined ? undefined : readUrl(url.trim())),
  rules: ({ rules }) => (rules === undefined ? undefined : readRules(rules)),
  configuration: ({ configuration }) => configuration && { source: { kind: 'configuration', configuration } },
};

function readUrl(url: string): Read {
  const isUrl = url.length <= MAX_URL_LENGTH && /^https?:\/\/\S+$/i.test(url) && url.isWellFormed();
  return isUrl ? { source: { kind: 'url', url } } : { message: 'must be a URL that starts with https:// or http://' };
}

function readRules(rules: string): Read {
  const isText = rules.length <= MAX_RULES_LENGTH && rules.isWellFormed() && !rules.includes('\0');
  if (isText && rules.trim() !== '') return { source: { kind: 'rules', rules } };
  return { message: `must be rules, one per line, at most ${MAX_RULES_LENGTH} characters in total` };
}

type Content = { readonly name: string; readonly source: CustomSource };

/** The new content, or the current one; at most one of the three fields may be given. */
function contentOf(input: CustomListInput, before: Content | undefined): Result<Content, DomainError> {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string, kind: FieldError['kind'] = 'wrong value'): void =>
    void errors.push({ field, kind, message });
  const name = input.name === undefined ? before?.name : parseName(input.name);
  if (name === undefined)
    wrong('name', `must be ${nameRequirements}`, input.name === undefined ? 'required' : 'wrong value');
  const contents = Object.entries(reading).flatMap(([field, read]) => {
    const found = read(input);
    return found ? [{ field, ...found }] : [];
  });
  for (const content of contents) if ('message' in content) wrong(content.field, content.message);
  if (contents.length > 1) wrong(contents[1]!.field, 'only one of url, rules and configuration can be given');
  const [first] = contents;
  const source = first && 'source' in first ? first.source : before?.source;
  if (contents.length === 0 && !before) wrong('url', 'one of url, rules and configuration must be given', 'required');
  return errors.length > 0 || name === undefined || !source ? err({ kind: 'invalid', errors }) : ok({ name, source });
}

export function createCustomList(
  { used, limit }: { readonly used: number; readonly limit: number },
  input: CustomListInput,
  context: Pick<CustomList, 'id' | 'account' | 'createdAt'>,
): Result<CustomList, DomainError> {
  const content = contentOf(input, undefined);
  if (!content.ok) return content;
  if (used >= limit) return err({ kind: 'limit reached', what: 'customLists', limit });
  return ok({ ...context, ...content.value });
}

export function updateCustomList(list: CustomList, input: CustomListInput): Result<CustomList, DomainError> {
  const content = contentOf(input, list);
  return content.ok ? ok({ ...list, ...content.value }) : content;
}

/** Selects lists for a DNS server: each once, and only lists of the account. */
export function chooseLists(
  requested: readonly { readonly id: string; readonly enabled?: boolean | undefined }[],
  existingIds: ReadonlySet<string>,
): Result<readonly Switched[], DomainError> {
  const errors = requested.flatMap(({ id }, at): FieldError[] =>
    existingIds.has(id) ? [] : [{ field: `custom_lists[${at}].id`, kind: 'wrong value', message: 'does not exist' }],
  );
  if (errors.length > 0) return err({ kind: 'invalid', errors });
  const byId = new Map(requested.map(({ id, enabled = true }) => [id, { id, enabled }]));
  return ok([...byId.values()]);
}
