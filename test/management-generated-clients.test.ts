import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Management, NOW, PASSWORD, startManagement } from './support/management.ts';

// Clients generated from the served documents by programs that others wrote. scripts/test-needs.ts installs them.

const root = fileURLToPath(new URL('..', import.meta.url));
const jar = `${root}.cache/openapi-generator/node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar`;
const typesFolder = `${root}.cache/openapi-typescript/node_modules`;
const run = promisify(execFile);
const python = '/usr/bin/python3';

let hasPython = false;
before(async () => {
  const imports = await run(python, ['-c', 'import certifi, dateutil, six, urllib3']).catch(() => undefined);
  hasPython = imports !== undefined && existsSync('/usr/bin/java') && existsSync(jar);
});

async function withOneQuery(management: Management): Promise<string> {
  const authorization = await management.account('anna@example.org');
  const { account } = (await management.store.read.users.byEmail('anna@example.org'))!;
  const [{ id }] = (await management.ask('GET', '/oapi/v1/dns_servers', { as: authorization })).json;
  await management.log.append([
    {
      time: NOW,
      account,
      dnsServer: id,
      domain: 'ads.example',
      type: 1,
      rcode: 0,
      protocol: 'DOH',
      status: 'REQUEST_BLOCKED',
      source: 'FILTERS',
      dnssec: false,
      companyId: '',
      category: 'ADS',
    },
  ]);
  return authorization.replace('Bearer ', '');
}

/** Writes the package `weir_client` to the folder. */
async function generatePython(document: string, folder: string): Promise<void> {
  const parts = 'models,apis,supportingFiles,modelTests=false,apiTests=false,modelDocs=false,apiDocs=false';
  const flags = ['-Xmx512m', '-XX:TieredStopAtLevel=1', '-jar', jar, 'generate', '-g', 'python', '-o', folder];
  const source = ['-i', document, '--package-name', 'weir_client', '--global-property', parts];
  await run('/usr/bin/java', [...flags, ...source], { maxBuffer: 64 * 1024 * 1024 });
}

const FROM = NOW - 3_600_000;
const TO = NOW + 3_600_000;

test('a Python client of OpenAPI Generator 4.3.1, generated from the 3.0 document', async (t) => {
  if (!hasPython) return t.skip('Java, OpenAPI Generator or modules of Python are missing');
  const management = await startManagement(t);
  const folder = await temporaryFolder(t);
  await generatePython(`${management.url}/swagger/openapi-3.0.json`, folder);
  const token = await withOneQuery(management);
  const program = `${root}test/support/generated_client.py`;
  const { stdout } = await run(python, [program, folder, management.url, token, `${FROM}`, `${TO}`]);
  assert.deepEqual(JSON.parse(stdout), {
    rules: ['||ads.example^'],
    ttl: 42,
    devices: [true],
    doh: true,
    logged: ['ads.example'],
    statistics: [['ads.example', 1]],
    unknown: 404,
  });
});

/**
 * A published document. Versions after 1.11 describe `dns_proto_type` as an object with a member `value`, but the API sends a text, as
 * version 1.11 says.
 */
async function readContract(file: string): Promise<string> {
  const document = JSON.parse(await readFile(file, 'utf8'));
  const { DnsProtoType: type } = document.components.schemas;
  if (type.type === 'object') document.components.schemas.DnsProtoType = { type: 'string' };
  return JSON.stringify(document);
}

// On request: the published documents are not part of the repository.
for (const document of process.env['WEIR_CONTRACT']?.split(',') ?? [])
  test(`a Python client generated from ${document} reads and writes everything`, async (t) => {
    assert.ok(hasPython, 'Java, OpenAPI Generator or modules of Python are missing');
    const management = await startManagement(t);
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'document.json'), await readContract(document));
    await generatePython(join(folder, 'document.json'), folder);
    const as = `Bearer ${await withOneQuery(management)}`;
    const { api_key: key } = (await management.ask('POST', '/api/v1/api_keys', { as, json: { name: 'Python' } })).json;
    const arguments_ = [management.url, 'anna@example.org', PASSWORD, key, `${FROM}`, `${TO}`];
    const { stdout } = await run(python, [`${root}test/support/contract_client.py`, folder, ...arguments_]);
    const { operations, ...rest } = JSON.parse(stdout);
    t.diagnostic(`${rest.called} of ${operations} operations`);
    assert.deepEqual(rest, { called: operations, missing: [], failed: [] });
  });

const typedProgram = `import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const [url = '', token = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url, headers: { authorization: \`Bearer \${token}\` } });
const { data: server } = await client.POST('/oapi/v1/dns_servers', { body: { name: 'Typed' } });
const params = { path: { dns_server_id: server!.id } };
await client.POST('/api/v1/dns_servers/{dns_server_id}/user_rules', { params, body: { rule: '||ads.example^' } });
const { data } = await client.GET('/oapi/v1/dns_servers/{dns_server_id}', { params });
const rules: string[] = data!.settings.user_rules_settings.rules;
const query = { time_from_millis: ${FROM}, time_to_millis: ${TO} };
const { data: page } = await client.GET('/oapi/v1/query_log', { params: { query } });
const { error } = await client.GET('/oapi/v1/devices/{device_id}', { params: { path: { device_id: 'unknown' } } });
// @ts-expect-error: the member does not exist
console.log(JSON.stringify([rules, page!.items.map(({ domain }) => domain), error !== undefined, page!.unknown]));
`;

test('types of openapi-typescript, generated from the 3.1 document, compile and fit the responses', async (t) => {
  if (!existsSync(typesFolder)) return t.skip('openapi-typescript is missing');
  const management = await startManagement(t);
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'node_modules'));
  await symlink(`${typesFolder}/openapi-fetch`, join(folder, 'node_modules/openapi-fetch'));
  const cli = `${typesFolder}/openapi-typescript/bin/cli.js`;
  const source = `${management.url}/swagger/openapi.json`;
  await run(process.execPath, [cli, source, '-o', join(folder, 'schema.d.ts')], { cwd: folder });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'program.ts'), typedProgram);
  const flags = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--skipLibCheck'];
  const roots = ['--typeRoots', join(root, 'node_modules/@types')];
  await run(join(root, 'node_modules/.bin/tsc'), [...flags, ...roots, 'program.ts'], { cwd: folder });
  const token = await withOneQuery(management);
  const { stdout } = await run(process.execPath, ['program.js', management.url, token], { cwd: folder });
  assert.deepEqual(JSON.parse(stdout), [['||ads.example^'], ['ads.example'], true, null]);
});
