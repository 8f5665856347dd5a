import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from './support/app/temporary-folder.ts';
import { type Service, startService } from './support/service.ts';
import { bin, start } from './support/weir.ts';

// A change is visible to the next request, whether the service or another process made it.

async function weir(words: readonly string[], data: string, stdin = ''): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await start(`${bin}weir`, [...words, '--data', data, '--json'], { cwd: data, stdin })
    .ended;
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const who = ['--email', 'me@example.org'];

async function ask(service: Service, key: unknown, path: string, method = 'GET', body?: object) {
  const response = await fetch(`${service.url}/oapi/v1/${path}`, {
    method,
    headers: { authorization: `ApiKey ${String(key)}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    json: (text === '' ? undefined : JSON.parse(text)) as never,
  };
}

test('a change is visible to the next request, also one made by another process', async (t) => {
  const data = await temporaryFolder(t);
  await weir(['account', 'create', ...who, '--password-stdin'], data, 'correct horse battery');
  const { key } = await weir(['account', 'key', ...who, '--name', 'k'], data);
  const service = await startService(t, [], { data });
  const servers = async (): Promise<{ id: string; name: string }[]> => (await ask(service, key, 'dns_servers')).json;
  const [first] = await servers();
  for (let round = 0; round < 20; round++) {
    assert.equal((await ask(service, key, `dns_servers/${first!.id}`, 'PUT', { name: `Name ${round}` })).status, 200);
    assert.equal((await servers())[0]?.name, `Name ${round}`);
    assert.equal((await servers())[0]?.name, `Name ${round}`);
  }
  assert.equal((await ask(service, key, 'dns_servers')).type, 'application/json');

  await weir(['account', 'delete', ...who, '--yes'], data);
  assert.equal((await ask(service, key, 'dns_servers')).status, 401);
});

test('responses contain only resources of the account of the credentials', async (t) => {
  const data = await temporaryFolder(t);
  const service = await startService(t, [], { data });
  const keys = await Promise.all(
    ['a@example.org', 'b@example.org'].map(async (email) => {
      await weir(['account', 'create', '--email', email, '--password-stdin'], data, 'correct horse battery');
      return (await weir(['account', 'key', '--email', email, '--name', 'k'], data))['key'];
    }),
  );
  const ids = new Set<string>();
  for (const key of [...keys, ...keys]) {
    const { json } = await ask(service, key, 'dns_servers');
    ids.add((json as { id: string }[])[0]!.id);
    assert.deepEqual((await ask(service, key, 'devices')).json, []);
  }
  assert.equal(ids.size, 2);
  const [mine, others] = [...ids];
  assert.equal((await ask(service, keys[0], `dns_servers/${mine}`)).status, 200);
  assert.equal((await ask(service, keys[0], `dns_servers/${others}`)).status, 404);
  assert.equal((await ask(service, keys[1], `dns_servers/${mine}`)).status, 404);
});
