import { anchor, type Html, html, joined, markupOf, type Part, prose } from './openapi-html.ts';
import { nameOfReference, type Schema } from './openapi-shape.ts';

/** What kind of value it is, in words: `array of strings`. A reference leads to its schema. */
export function typeWords(schema: Schema): Html {
  const { $ref, type, format, items } = schema;
  const forms = formsOf(schema);
  if ($ref !== undefined)
    return html`<a href="#${anchor('schema', nameOfReference($ref))}">${nameOfReference($ref)}</a>`;
  if (schema.const !== undefined) return html`always ${value(schema.const)}`;
  if (forms) return joined(distinct(forms.of).map(typeWords), forms.between);
  if (type === 'array') return html`array of ${items ? plural(items) : 'anything'}`;
  const named = valuesByName(schema);
  if (named) return html`map of ${plural(named)}`;
  const words = type === undefined ? typeOfChoices(schema.enum) : [type].flat().join(' or ');
  return html`${words}${format !== undefined && ` (${format})`}`;
}

/** All there is to say of a value below its type: limits, choices, and the members of what is in it. */
export const schemaDetails = (schema: Schema): Html => html`${limits(schema)}${choices(schema)}${inside(schema)}`;

type Member = {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly description?: string | undefined;
  /** Where it stands, if that is not clear: in the path, in the query. */
  readonly place?: string;
};

/** A list of named values, each with all there is to say of it. */
export const memberList = (members: readonly Member[]): Html =>
  html`<dl class="members">\n${members.map(memberEntry)}</dl>\n`;

const memberEntry = ({ name, required, schema, description, place }: Member): Html =>
  html`<div>
<dt><code class="name">${name}</code> <span class="type">${typeWords(schema)}</span>${place !== undefined && html` <span class="type">in ${place}</span>`}${required && html` <span class="required">required</span>`}</dt>
<dd>${prose(description ?? schema.description)}${limits(schema)}${choices(schema)}${schema.properties ? folded('Members', inside(schema)) : inside(schema)}</dd>
</div>
`;

function inside(schema: Schema): Part {
  const { properties, required = [], items, additionalProperties } = schema;
  const forms = formsOf(schema)?.of.filter(hasMembers);
  if (forms) return forms.map((form, index) => folded(nameOfForm(form, index, forms.length), inside(form)));
  if (properties)
    return [
      memberList(
        Object.entries(properties).map(([name, member]) => ({
          name,
          required: required.includes(name),
          schema: member,
        })),
      ),
      additionalProperties === false && html`<p class="limits">No other members.</p>\n`,
    ];
  const part = items ?? valuesByName(schema);
  if (!part || !hasMembers(part)) return undefined;
  return part.properties ? folded(`Members of each ${items ? 'item' : 'value'}`, inside(part)) : inside(part);
}

const folded = (summary: string, content: Part): Html =>
  html`<details open><summary>${summary}</summary>\n${content}</details>\n`;

const nameOfForm = ({ title }: Schema, index: number, count: number): string =>
  title ?? (count === 1 ? 'Members' : `Form ${index + 1} of ${count}`);

const hasMembers = (schema: Schema): boolean =>
  schema.properties !== undefined ||
  [schema.items, valuesByName(schema), ...(formsOf(schema)?.of ?? [])].some((part) => part && hasMembers(part));

function formsOf({ anyOf, oneOf, allOf }: Schema): { of: readonly Schema[]; between: string } | undefined {
  const either = anyOf ?? oneOf;
  if (either) return { of: either, between: ' or ' };
  return allOf && { of: allOf, between: ' and ' };
}

/** Forms of which the same words are said count once. */
const distinct = (forms: readonly Schema[]): Schema[] =>
  [...new Map(forms.toReversed().map((form) => [markupOf(typeWords(form)), form])).values()].reverse();

/** The values of an object whose members have no fixed names. */
function valuesByName({ properties, patternProperties, additionalProperties }: Schema): Schema | undefined {
  if (properties) return undefined;
  return typeof additionalProperties === 'object' ? additionalProperties : Object.values(patternProperties ?? {})[0];
}

const plurals: Readonly<Record<string, string>> = {
  string: 'strings',
  number: 'numbers',
  integer: 'integers',
  boolean: 'booleans',
  object: 'objects',
};

function plural(schema: Schema): Html {
  const forms = distinct(formsOf(schema)?.of ?? [schema]);
  const [only = schema] = forms;
  if (forms.length > 1) return html`(${typeWords(schema)})`;
  const type = only.type ?? typeOfChoices(only.enum);
  const isPlain = only.$ref === undefined && only.const === undefined && !formsOf(only) && !valuesByName(only);
  const word = isPlain && typeof type === 'string' ? plurals[type] : undefined;
  return word === undefined ? typeWords(only) : html`${word}${only.format !== undefined && ` (${only.format})`}`;
}

/** A list of choices often says no type, for its values show it. */
function typeOfChoices(choices: readonly unknown[] = []): string {
  const types = new Set(choices.map((choice) => (choice === null ? 'null' : typeof choice)));
  return types.size === 0 ? 'anything' : [...types].join(' or ');
}

const value = (of: unknown): Html => html`<code>${typeof of === 'string' ? of : JSON.stringify(of)}</code>`;

function choices({ enum: own, items }: Schema): Part {
  const values = own ?? items?.enum;
  return values && html`<p class="limits">${own ? 'One of' : 'Each one of'} ${joined(values.map(value), ', ')}.</p>\n`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const limitWords = {
  minLength: (limit: number) => (limit === 1 ? 'not empty' : `at least ${counted(limit, 'character')}`),
  maxLength: (limit: number) => `at most ${counted(limit, 'character')}`,
  minimum: (limit: number) => `at least ${limit}`,
  maximum: (limit: number) => `at most ${limit}`,
  minItems: (limit: number) => `at least ${counted(limit, 'item')}`,
  maxItems: (limit: number) => `at most ${counted(limit, 'item')}`,
};
const limitNames = Object.keys(limitWords) as (keyof typeof limitWords)[];

function limits(schema: Schema): Part {
  const { pattern, default: unlessSaid } = schema;
  const words = [
    ...limitNames.map((name) => schema[name] !== undefined && limitWords[name](schema[name])),
    pattern !== undefined && html`matches <code>${pattern}</code>`,
    unlessSaid !== undefined && html`unless said, ${value(unlessSaid)}`,
  ].filter((part) => part !== false);
  return words.length > 0 && html`<p class="limits">${joined(words, '; ')}.</p>\n`;
}
