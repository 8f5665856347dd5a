import {
  configurationMembers,
  type Member,
  type Members,
  sourceMembers,
  transformationNames,
} from './configuration.ts';

type Optional = { readonly mayBeNull: boolean };

/**
 * The JSON schema of a configuration, for editors and API documents, generated from the table used for validation. The compile
 * service also accepts null for optional members.
 */
export const configurationSchema = (optional: Optional = { mayBeNull: false }): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Weir compiler configuration',
  ...objectSchema(configurationMembers, optional),
});

function objectSchema(members: Members, optional: Optional): object {
  const entries = Object.entries(members);
  return {
    type: 'object',
    additionalProperties: false,
    required: entries.filter(([, { required }]) => required).map(([name]) => name),
    properties: Object.fromEntries(
      entries.map(([name, { member, about, required }]) => {
        const schema = memberSchema(member, optional);
        const isNullable = optional.mayBeNull && !required && member.kind !== 'anything';
        return [name, { description: about, ...(isNullable ? { anyOf: [schema, { type: 'null' }] } : schema) }];
      }),
    ),
  };
}

function memberSchema(member: Member, optional: Optional): object {
  switch (member.kind) {
    case 'anything':
      return {};
    case 'text':
      return { type: 'string', ...(member.mayBeEmpty ? {} : { minLength: 1 }) };
    case 'one of':
      return { enum: member.values };
    case 'transformations':
      return { type: 'array', items: { enum: transformationNames } };
    case 'patterns':
    case 'texts':
      return { type: 'array', items: { type: 'string' } };
    case 'sources':
      return { type: 'array', minItems: 1, items: objectSchema(sourceMembers, optional) };
  }
}
