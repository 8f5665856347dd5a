import type { Route } from './route.ts';

const briefly = { 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' };

/** A page of HTML, with the Content-Security-Policy that it needs and no more. */
export const pageRoute = (path: string, summary: string, page: { html: string; policy: string }): Route => ({
  method: 'GET',
  path,
  group: 'Service',
  summary,
  security: [],
  answers: { 200: { description: 'HTML.' } },
  run: (_request, reply) =>
    reply
      .headers({ ...briefly, 'content-type': 'text/html; charset=utf-8', 'content-security-policy': page.policy })
      .send(page.html),
});

export const scriptRoute = (path: string, summary: string, script: string): Route => ({
  method: 'GET',
  path,
  group: 'Service',
  summary,
  security: [],
  answers: { 200: { description: 'JavaScript.' } },
  run: (_request, reply) =>
    reply.headers({ ...briefly, 'content-type': 'text/javascript; charset=utf-8' }).send(script),
});
