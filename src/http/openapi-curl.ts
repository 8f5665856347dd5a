import { type MediaType, nameOfReference, type OpenApi, type Placed } from './openapi-shape.ts';

// The page is made once, before anyone has asked by any name.
const HERE = 'http://127.0.0.1:8080';
const JSON_TYPE = 'application/json';

/** Where the service is, as far as the document knows. */
export const addressOf = ({ servers }: OpenApi): string => (servers?.[0]?.url ?? HERE).replace(/\/$/, '');

/** The command that sends the example of an operation, if it has one. */
export function curlCommand(document: OpenApi, { method, path, requestBody }: Placed): string | undefined {
  const example = exampleOf(document, requestBody?.content?.[JSON_TYPE]);
  if (example === undefined) return undefined;
  const url = addressOf(document) + path;
  return [
    `curl ${method === 'POST' ? '' : `-X ${method} `}${quoted(url)}`,
    `-H ${quoted(`Content-Type: ${JSON_TYPE}`)}`,
    `-d ${quoted(JSON.stringify(example, null, 2))}`,
  ].join(' \\\n  ');
}

function exampleOf({ components }: OpenApi, { schema, example, examples = {} }: MediaType = {}): unknown {
  const referred = components?.schemas?.[nameOfReference(schema?.$ref ?? '')];
  return example ?? Object.values(examples)[0]?.value ?? (schema?.examples ?? referred?.examples)?.[0];
}

/** One word to a POSIX shell, whatever is in it. */
const quoted = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
