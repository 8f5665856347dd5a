import { err, ok, type Result } from '../kit/result.ts';
import type { FieldFault, Problem } from './domain-error.ts';
import type { AccountId } from './ids.ts';
import { parseName, whatNamesAre } from './name.ts';
import type { Switched } from './profile.ts';

/** A filter list that an account has brought; nobody else has it. */
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
  /** For the compiler, checked. */
  | { readonly kind: 'configuration'; readonly configuration: object };

export type CustomListWish = {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly rules?: string | undefined;
  readonly configuration?: object | undefined;
};

const MAX_URL_LENGTH = 2048;
const MAX_RULES_LENGTH = 256 * 1024;

type Reading = { readonly [Member in 'url' | 'rules' | 'configuration']: (wish: CustomListWish) => Read | undefined };
type Read = { readonly source: CustomSource } | { readonly message: string };

const reading: Reading = {
  url: ({ url }) => (url === undefined ? undefined : readUrl(url.trim())),
  rules: ({ rules }) => (rules === undefined ? undefined : readRules(rules)),
  configuration: ({ configuration }) => configuration && { source: { kind: 'configuration', configuration } },
};

function readUrl(url: string): Read {
  const isUrl = url.length <= MAX_URL_LENGTH && /^https?:\/\/\S+$/i.test(url) && url.isWellFormed();
  return isUrl
    ? { source: { kind: 'url', url } }
    : { message: 'must be an address that begins with https:// or http://' };
}

function readRules(rules: string): Read {
  const isText = rules.length <= MAX_RULES_LENGTH && rules.isWellFormed() && !rules.includes('\0');
  if (isText && rules.trim() !== '') return { source: { kind: 'rules', rules } };
  return { message: `must be rules, one a line, of at most ${MAX_RULES_LENGTH} characters in all` };
}

type Content = { readonly name: string; readonly source: CustomSource };

/** What is wished in the place of what there is; of the three ways to say what is in it at most one. */
function contentOf(wish: CustomListWish, before: Content | undefined): Result<Content, Problem> {
  const faults: FieldFault[] = [];
  const wrong = (field: string, message: string, kind: FieldFault['kind'] = 'wrong value'): void =>
    void faults.push({ field, kind, message });
  const name = wish.name === undefined ? before?.name : parseName(wish.name);
  if (name === undefined)
    wrong('name', `must be ${whatNamesAre}`, wish.name === undefined ? 'required' : 'wrong value');
  const given = Object.entries(reading).flatMap(([field, read]) => {
    const found = read(wish);
    return found ? [{ field, ...found }] : [];
  });
  for (const each of given) if ('message' in each) wrong(each.field, each.message);
  if (given.length > 1) wrong(given[1]!.field, 'only one of url, rules and configuration can be given');
  const [first] = given;
  const source = first && 'source' in first ? first.source : before?.source;
  if (given.length === 0 && !before) wrong('url', 'one of url, rules and configuration must be given', 'required');
  return faults.length > 0 || name === undefined || !source ? err({ kind: 'invalid', faults }) : ok({ name, source });
}

export function createCustomList(
  { used, limit }: { readonly used: number; readonly limit: number },
  wish: CustomListWish,
  birth: Pick<CustomList, 'id' | 'account' | 'createdAt'>,
): Result<CustomList, Problem> {
  const content = contentOf(wish, undefined);
  if (!content.ok) return content;
  if (used >= limit) return err({ kind: 'limit reached', what: 'customLists', limit });
  return ok({ ...birth, ...content.value });
}

export function updateCustomList(list: CustomList, wish: CustomListWish): Result<CustomList, Problem> {
  const content = contentOf(wish, list);
  return content.ok ? ok({ ...list, ...content.value }) : content;
}

/** Lists for a DNS server to use: each once, and only those that the account has. */
export function chooseLists(
  wished: readonly { readonly id: string; readonly enabled?: boolean | undefined }[],
  known: ReadonlySet<string>,
): Result<readonly Switched[], Problem> {
  const faults = wished.flatMap(({ id }, at): FieldFault[] =>
    known.has(id) ? [] : [{ field: `custom_lists[${at}].id`, kind: 'wrong value', message: 'there is no such list' }],
  );
  if (faults.length > 0) return err({ kind: 'invalid', faults });
  const byId = new Map(wished.map(({ id, enabled = true }) => [id, { id, enabled }]));
  return ok([...byId.values()]);
}
