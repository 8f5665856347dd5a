import { createHash } from 'node:crypto';
import { html, markupOf, trusted } from '../http/openapi-html.ts';
import { pageStyle } from '../http/openapi-style.ts';
import { pageRoute, scriptRoute } from '../http/page-route.ts';
import type { Route } from '../http/route.ts';

const style = `${pageStyle}
main{max-width:26rem;margin:3rem auto}
label{display:block;margin:1rem 0 .25rem;font-weight:600}
input,button{width:100%;padding:.5rem .7rem;border:1px solid var(--quiet);border-radius:.4rem;background:var(--ground);color:var(--text);font:inherit;font-size:max(1rem,1em)}
button{margin:1.5rem 0;border-color:var(--accent);background:var(--accent);color:var(--ground);font-weight:600;cursor:pointer}
:is(input,button):focus-visible{outline:3px solid var(--accent);outline-offset:2px}
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

const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Set up Weir</title>
<style>${trusted(style)}</style>
<script type="module" src="set-up.js"></script>
</head>
<body>
<div class="frame">
<main>
<h1>Set up Weir</h1>
<p>Create the first account. This page works once, with the link that the program wrote when it started.</p>
<form id="form">
<label for="email">E-mail address</label>
<input id="email" type="email" autocomplete="username" required>
<label for="password">Password, at least 8 characters</label>
<input id="password" type="password" autocomplete="new-password" minlength="8" required>
<button type="submit">Create the account</button>
</form>
<p id="outcome" role="status"></p>
</main>
</div>
</body>
</html>
`;

// The token stands behind the "#", which browsers send to nobody; it leaves the address at once.
const script = `const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const form = document.getElementById('form');
const outcome = document.getElementById('outcome');
const field = (id) => document.getElementById(id).value;
if (token === '') outcome.textContent = 'The link is not whole: open the one that the program wrote when it started.';
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  outcome.textContent = 'One moment …';
  try {
    const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const response = await fetch('/api/v1/set_up', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, email: field('email'), password: field('password'), time_zone }),
    });
    const answer = await response.json();
    if (response.ok) {
      form.hidden = true;
      outcome.textContent = 'The account is there. Sign in with it, or try the API at /swagger/try.';
    } else {
      const faults = (answer.fields ?? []).map((fault) => fault.field + ' ' + fault.message);
      outcome.textContent = faults.join('; ') || answer.message || 'That did not work.';
    }
  } catch {
    outcome.textContent = 'The service does not answer: is it still running?';
  }
});
`;

/** What the link of the first start leads to. */
export const setUpPageRoutes: readonly Route[] = [
  pageRoute('/set-up', 'Where the first account is created', { html: `<!doctype html>\n${markupOf(page)}`, policy }),
  scriptRoute('/set-up.js', 'What that page runs', script),
];
