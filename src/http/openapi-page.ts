import { createHash } from 'node:crypto';
import { addressOf, curlCommand } from './openapi-curl.ts';
import { anchor, type Html, html, inline, markupOf, type Part, prose, trusted } from './openapi-html.ts';
import { idOf, methodLabel, operationArticle } from './openapi-operation.ts';
import { schemaDetails, typeWords } from './openapi-schema.ts';
import { groupsOf, type OpenApi, operationsOf, type Placed, type Schema } from './openapi-shape.ts';
import { pageStyle } from './openapi-style.ts';

/** An OpenAPI 3.1 document as a page to read, and the Content-Security-Policy that allows its style and nothing else. */
export const openApiPage = (document: object): { html: string; policy: string } => ({
  html: `<!doctype html>\n${markupOf(page(document as OpenApi))}`,
  policy,
});

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(pageStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function page(document: OpenApi): Html {
  const { title, version, description, license } = document.info;
  const operations = operationsOf(document);
  const groups = [...groupsOf(operations)];
  const schemas = Object.entries(document.components?.schemas ?? {});
  return html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} ${version}: API</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
<header>
<h1>${title} <span class="version">${version}</span></h1>
${prose(description)}</header>
<div class="columns">
${contents(groups, schemas)}<main id="content" tabindex="-1">
${start(document, operations)}${groups.map((group) => groupSection(document, group))}${schemas.length > 0 && schemaSection(schemas)}</main>
</div>
<footer>${title} ${version}${license && html`, ${license.name}`}. OpenAPI ${document.openapi}.</footer>
</div>
</body>
</html>
`;
}

type Group = readonly [name: string, operations: readonly Placed[]];
type NamedSchema = readonly [name: string, schema: Schema];

const contents = (
  groups: readonly Group[],
  schemas: readonly NamedSchema[],
): Html => html`<nav aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<ul>
${groups.map(([name, operations]) =>
  contentsEntry(
    anchor('group', name),
    name,
    operations.map((operation) => ({
      to: idOf(operation),
      label: [methodLabel(operation.method), html`<code>${operation.path}</code>`],
    })),
  ),
)}${
  schemas.length > 0 &&
  contentsEntry(
    'schemas',
    'Schemas',
    schemas.map(([name]) => ({ to: anchor('schema', name), label: html`<code>${name}</code>` })),
  )
}</ul>
</nav>
`;

const contentsEntry = (to: string, name: string, entries: readonly { to: string; label: Part }[]): Html =>
  html`<li><a class="group" href="#${to}">${name}</a>
<ul>
${entries.map((entry) => html`<li><a href="#${entry.to}">${entry.label}</a></li>\n`)}</ul>
</li>
`;

function start(document: OpenApi, operations: readonly Placed[]): Part {
  const posts = operations.filter(({ method }) => method === 'POST');
  const first = posts.find((operation) => curlCommand(document, operation) !== undefined);
  return (
    first &&
    html`<section aria-labelledby="start">
<h2 id="start">Start here</h2>
<p>${first.summary === undefined ? first.path : inline(first.summary)}.${!document.servers && html` In place of <code>${addressOf(document)}</code> put the address of this page.`}</p>
<pre><code>${curlCommand(document, first)}</code></pre>
</section>
`
  );
}

const groupSection = (document: OpenApi, [name, operations]: Group): Html =>
  html`<section aria-labelledby="${anchor('group', name)}">
<h2 id="${anchor('group', name)}">${name}</h2>
${operations.map((operation) => operationArticle(document, operation))}</section>
`;

const schemaSection = (schemas: readonly NamedSchema[]): Html => html`<section aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => {
  const id = anchor('schema', name);
  return html`<article id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><a href="#${id}">${name}</a></h3>
<p class="type">${schema.title !== undefined && html`${schema.title}: `}${typeWords(schema)}</p>
${prose(schema.description)}${schemaDetails(schema)}</article>
`;
})}</section>
`;
