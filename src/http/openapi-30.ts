import { isObject } from '../kit/is-object.ts';

const LICENCE = 'https://www.apache.org/licenses/LICENSE-2.0';

/**
 * Converts a document to OpenAPI 3.0, for generators that do not support 3.1. Handles only the features that our documents use: maps,
 * constants and the licence.
 */
export function toOpenApi30(document: object): object {
  const { info, ...rest } = converted(document) as { readonly info: { readonly license: { readonly name: string } } };
  return { ...rest, openapi: '3.0.3', info: { ...info, license: { name: info.license.name, url: LICENCE } } };
}

function converted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(converted);
  if (!isObject(value)) return value;
  const { patternProperties, const: constant, ...members } = value;
  return {
    ...Object.fromEntries(Object.entries(members).map(([name, member]) => [name, converted(member)])),
    ...(isObject(patternProperties) && { additionalProperties: converted(Object.values(patternProperties)[0]) }),
    ...(constant !== undefined && { enum: [constant] }),
  };
}
