import { curlCommand } from './openapi-curl.ts';
import { anchor, type Html, html, inline, joined, prose } from './openapi-html.ts';
import { memberList, schemaDetails, typeWords } from './openapi-schema.ts';
import type { Content, OpenApi, Parameter, Placed } from './openapi-shape.ts';

/** One operation: where it is, what it takes, what it answers. */
export function operationArticle(document: OpenApi, operation: Placed): Html {
  const { method, path, summary, description, parameters = [], requestBody, responses = {} } = operation;
  const id = idOf(operation);
  const command = curlCommand(document, operation);
  return html`<article id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${summary === undefined ? path : inline(summary)}</a></h3>
<p class="endpoint">${methodLabel(method)} <code>${path}</code></p>
${prose(description)}${parameters.length > 0 && parameterList(parameters)}${
  requestBody && [
    html`<h4>Request body${!requestBody.required && ' (optional)'}</h4>\n`,
    prose(requestBody.description),
    bodyContent(requestBody.content),
    command !== undefined && html`<details><summary>Example</summary>\n<pre><code>${command}</code></pre></details>\n`,
  ]
}<h4>Answers</h4>
${Object.entries(responses).map(([status, { description = '', content }]) => answer(status, description, content))}</article>
`;
}

const parameterList = (parameters: readonly Parameter[]): Html => html`<h4>Parameters</h4>
${memberList(
  parameters.map(({ in: place, required = false, schema = {}, ...named }) => ({ ...named, place, required, schema })),
)}`;

const bodyContent = (content: Content = {}): Html =>
  html`${Object.entries(content).map(
    ([type, { schema = {} }]) => html`<p><code>${type}</code> <span class="type">${typeWords(schema)}</span></p>
${prose(schema.description)}${schemaDetails(schema)}`,
  )}`;

function answer(status: string, description: string, content: Content = {}): Html {
  const types = Object.keys(content).map((type) => html`<code>${type}</code>`);
  const line = html`<span class="status ${statusColour(status)}">${status}</span> ${inline(description)}`;
  if (types.length === 0) return html`<p class="answer">${line}</p>\n`;
  return html`<details class="answer"><summary>${line} <span class="kinds">${joined(types, ' ')}</span></summary>
${bodyContent(content)}</details>
`;
}

/** The id of its element on the page. */
export const idOf = ({ operationId, method, path }: Placed): string =>
  anchor('operation', operationId ?? `${method} ${path}`);

const methodColours: Readonly<Record<string, string>> = { GET: 'note', POST: 'good', DELETE: 'bad' };

export const methodLabel = (method: string): Html =>
  html`<span class="method ${methodColours[method] ?? 'care'}">${method}</span>`;

const statusColours: Readonly<Record<string, string>> = { 2: 'good', 3: 'note', 4: 'care', 5: 'bad' };

const statusColour = (status: string): string => statusColours[status[0] ?? ''] ?? 'quiet';
