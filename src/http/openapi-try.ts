import { createHash } from 'node:crypto';
import { type Html, html, markupOf, trusted } from './openapi-html.ts';
import type { OpenApi } from './openapi-shape.ts';
import { pageStyle } from './openapi-style.ts';

/**
 * A page to send requests from, and the Content-Security-Policy that allows its style, its script and this server. It
 * expects the script beside it as `try.js` and the document as `openapi.json`, one folder below the root of the API.
 */
export const openApiTryPage = (document: object): { html: string; policy: string } => ({
  html: `<!doctype html>\n${markupOf(page(document as OpenApi))}`,
  policy,
});

const style = `${pageStyle}
[hidden]{display:none}
.try{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem}
.try h2{margin-top:0}
.try h3{margin:1.5rem 0 .5rem}
form>div,#parameters>div,form>details{margin:0 0 1rem}
form>details{margin-top:1rem}
label{display:block;margin:0 0 .25rem;font-weight:600}
label .quiet{font-weight:400}
input,select,textarea,button{width:100%;padding:.5rem .7rem;border:1px solid var(--quiet);border-radius:.4rem;background:var(--ground);color:var(--text);font:inherit}
input,textarea{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:max(1rem,.9em)}
textarea{display:block;min-height:4.5rem;resize:vertical}
#body{min-height:14rem}
button{width:auto;padding:.5rem 1.5rem;font-weight:600;cursor:pointer}
button[type=submit]{border-color:var(--accent);background:var(--accent);color:var(--ground)}
:is(input,select,textarea,button,section):focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (min-width:60rem){
.try{grid-template-columns:repeat(2,minmax(0,1fr));gap:3rem;align-items:start}
#answer{position:sticky;top:1rem;max-height:calc(100vh - 2rem);overflow-y:auto}
}
`;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// No field has a name: were the form ever sent by the browser itself, nothing of it would be in the address.
const page = ({ info: { title, version } }: OpenApi): Html => html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} ${version}: try the API</title>
<style>${trusted(style)}</style>
<script type="module" src="try.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="frame">
<header>
<h1>${title} <span class="version">${version}</span></h1>
<p>Requests sent from here are real: they read and change what the credentials allow. <a href="../swagger">All operations are described here.</a></p>
</header>
<main id="content" tabindex="-1">
<p id="loading" role="status">Reading the document …</p>
<noscript><p>This page needs JavaScript.</p></noscript>
<div class="try">
<form id="request" autocomplete="off" hidden>
<h2>Request</h2>
<div>
<label for="credentials">Credentials</label>
<input id="credentials" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="credentials-hint">
<p id="credentials-hint" class="limits"><code>ApiKey</code> and a key, or <code>Bearer</code> and an access token. This page forgets them when it is closed.</p>
</div>
<div>
<label for="operation">Operation</label>
<select id="operation" aria-describedby="summary"></select>
<p id="summary"></p>
</div>
<div id="parameters"></div>
<div id="body-field">
<label for="body">Body <span id="body-type" class="quiet"></span></label>
<textarea id="body" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="body-hint"></textarea>
<p id="body-hint" class="limits"></p>
</div>
<button type="submit">Send</button>
<details>
<summary>The same with curl</summary>
<pre><code id="command"></code></pre>
<button id="copy" type="button">Copy</button> <span id="copied" class="quiet" role="status"></span>
</details>
</form>
<section id="answer" aria-labelledby="answer-title" tabindex="0" hidden>
<h2 id="answer-title">Answer</h2>
<p id="status" role="status"></p>
<h3>Body</h3>
<pre><code id="content-text"></code></pre>
<h3>Headers</h3>
<pre><code id="headers"></code></pre>
</section>
</div>
</main>
<footer>${title} ${version}.</footer>
</div>
</body>
</html>
`;
