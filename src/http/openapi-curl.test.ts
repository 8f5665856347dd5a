import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { curlCommand } from './openapi-curl.ts';
import type { OpenApi, Placed } from './openapi-shape.ts';

const document: OpenApi = { openapi: '3.1.0', info: { title: 'Sluice', version: '1' } };
const posting = (content: object): Placed => ({
  method: 'POST',
  path: '/gates',
  requestBody: { content: { 'application/json': content } },
});

/** What a shell makes of a command: the arguments that curl would be given. */
const argumentsOf = (command: string | undefined): string[] =>
  execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

test('the command sends the example of an operation', () => {
  const [url, ...others] = argumentsOf(curlCommand(document, posting({ example: { id: 'north' } })));
  assert.equal(url, 'http://127.0.0.1:8080/gates');
  assert.deepEqual(others.slice(0, -1), ['-H', 'Content-Type: application/json', '-d']);
  assert.deepEqual(JSON.parse(others.at(-1)!), { id: 'north' });
});

test('no shell breaks out of an example or a path', () => {
  const example = `'; echo "$HOME" \`id\` \\ $(id) #`;
  const command = curlCommand(document, { ...posting({ example }), path: `/a'b $(id);{x}` });
  assert.equal(argumentsOf(command)[0], `http://127.0.0.1:8080/a'b $(id);{x}`);
  assert.equal(JSON.parse(argumentsOf(command).at(-1)!), example);
});

test('an example may stand at the content, among its examples, in its schema or where that refers to', () => {
  const components = { schemas: { Gate: { examples: ['east'] } } };
  const sent = (content: object): unknown =>
    JSON.parse(argumentsOf(curlCommand({ ...document, components }, posting(content))).at(-1)!);
  assert.equal(sent({ example: 'north' }), 'north');
  assert.equal(sent({ examples: { some: { value: 'south' } } }), 'south');
  assert.equal(sent({ schema: { examples: ['west'] } }), 'west');
  assert.equal(sent({ schema: { $ref: '#/components/schemas/Gate' } }), 'east');
});

test('without an example there is no command', () => {
  assert.equal(curlCommand(document, posting({ schema: { type: 'object' } })), undefined);
  assert.equal(curlCommand(document, { method: 'GET', path: '/' }), undefined);
});

test('the address is that of the document, if it knows one', () => {
  const servers = [{ url: 'https://sluice.example/' }];
  const [url] = argumentsOf(curlCommand({ ...document, servers }, posting({ example: 1 })));
  assert.equal(url, 'https://sluice.example/gates');
});
