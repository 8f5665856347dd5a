import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { operations } from '../src/api/operations.ts';
import { anyText } from './support/kit/any-text.ts';
import { type Management, startManagement } from './support/management.ts';
import { databases } from './support/store/stores.ts';

// Fixed examples in CI, so that a change does not fail because of an unrelated error; random ones elsewhere.
const examples = { numRuns: 15, ...(process.env['CI'] && { seed: 20_261_119 }) };

// Texts that are often mishandled: NUL, lone surrogates, SQL, paths, numbers out of range.
const nasty = fc.oneof(
  anyText(80),
  fc.constantFrom('\0', '\ud800', "' or 1=1 --", '../../etc/passwd', '%00', '__proto__', 'constructor', '1e309', '-1'),
);
const value = fc.oneof(
  { withCrossShrink: true },
  nasty,
  fc.integer(),
  fc.constantFrom(-1, 0, 2 ** 31, 2 ** 53, 1e21, 0.5, null, true, [], {}, '', 'IOS', 'CUSTOM_IP'),
  fc.array(nasty, { maxLength: 3 }),
);

type Property = { readonly properties?: Properties; readonly items?: { readonly properties?: Properties } };
type Properties = Readonly<Record<string, Property>>;

/** Objects with the members of a schema and values that it may or may not allow. */
const alike = (properties: Properties): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries<Property>({ ...properties, id: {}, account: {} }).map(([name, { properties: inner, items }]) => {
        const whole = inner
          ? alike(inner)
          : items?.properties
            ? fc.array(alike(items.properties), { maxLength: 2 })
            : value;
        return [name, fc.oneof(value, whole)];
      }),
    ),
    { requiredKeys: [] },
  );

function onBoth(sentence: string, work: (management: Management) => Promise<void>): void {
  for (const [name, newDatabase] of Object.entries(databases))
    test(`${name}: ${sentence}`, async (t) => {
      const options = await newDatabase(t);
      if (!options) return t.skip('there is no PostgreSQL here');
      await work(await startManagement(t, {}, options));
    });
}

async function begun(management: Management): Promise<{ as: string; ids: Record<string, string> }> {
  const as = await management.account('anna@example.org');
  const [{ id: dns_server_id }] = (await management.ask('GET', '/oapi/v1/dns_servers', { as })).json;
  const json = { name: 'Phone', device_type: 'IOS', dns_server_id };
  const { id: device_id } = (await management.ask('POST', '/oapi/v1/devices', { as, json })).json;
  return { as, ids: { device_id, dns_server_id } };
}

onBoth('no body causes an internal error', async (management) => {
  const { as, ids } = await begun(management);
  // Signing out and failing to sign in would end the test early for all others.
  const left = operations.filter(({ body, path }) => body && !/session|password|second_factor|oauth_token/.test(path));
  for (const { method, path, body, operationId } of left) {
    const at = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'nobody');
    const { properties } = body as { properties: Properties };
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          alike(properties),
          fc.json().map((text) => JSON.parse(text) as unknown),
        ),
        async (json) => {
          const { status } = await management.ask(method, at, { as, json });
          assert.ok(status < 500, `${operationId} ${status} ${JSON.stringify(json)}`);
        },
      ),
      examples,
    );
  }
});

onBoth(
  'a compiler configuration is returned as the document says, and refused with unknown members',
  async (management) => {
    const { as } = await begun(management);
    const ask = (method: string, path: string, json: object) => management.ask(method, path, { as, json });
    const unknown = { name: '../../etc/passwd', configuration: { account: '\ud800' }, id: '__proto__', account: '' };
    const refused = await ask('POST', '/api/v1/custom_lists', unknown);
    assert.equal(refused.status, 400, refused.text);
    const configuration = { name: 'List', sources: [{ source: 'https://lists.example/a' }] };
    const created = await ask('POST', '/api/v1/custom_lists', { name: 'List', configuration });
    assert.equal(created.status, 200, created.text);
    const path = `/api/v1/custom_lists/${created.json.id}`;
    assert.equal((await ask('PUT', path, { configuration: unknown.configuration })).status, 400);
    assert.deepEqual((await ask('PUT', path, { configuration })).json.configuration, created.json.configuration);
  },
);

onBoth('no path causes an internal error', async (management) => {
  const { as, ids } = await begun(management);
  for (const { path, query, operationId } of operations.filter(({ method }) => method === 'GET')) {
    const { properties = {} } = (query ?? {}) as { properties?: Properties };
    const parameters = fc.record(
      Object.fromEntries(Object.keys(properties).map((name) => [name, fc.oneof(fc.nat().map(String), nasty)])),
      { requiredKeys: Object.keys(properties).filter((name) => name.startsWith('time_')) },
    );
    await fc.assert(
      fc.asyncProperty(parameters, fc.option(nasty), async (given, id) => {
        const at = path.replace(/:(\w+)/g, (_, name: string) =>
          id === null ? ids[name]! : encodeURIComponent(id.toWellFormed()),
        );
        const asked = new URLSearchParams(given as Record<string, string>).toString();
        const { status } = await management.ask('GET', `${at}?${asked}`, { as });
        assert.ok(status < 500, `${operationId} ${status} ${at}?${asked}`);
      }),
      examples,
    );
  }
});

type Schema = Property & { readonly type?: string; readonly enum?: readonly unknown[]; readonly const?: unknown };

/** A value of the schema with this text wherever it allows one. */
function filled(schema: Schema, text: string): unknown {
  const { type, properties, items, const: constant, enum: values } = schema;
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, filled(each, text)]));
  if (type === 'array') return [filled(items ?? {}, text)];
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? 1 : (constant ?? values?.[0] ?? text);
}

onBoth('no text with a NUL character makes the service fail', async (management) => {
  const { as, ids } = await begun(management);
  for (const { method, path, body, query, operationId } of operations) {
    if (/DELETE.*session/.test(`${method} ${path}`)) continue;
    const { properties = {} } = (body ?? {}) as { properties?: Properties };
    for (const text of ['\0', '203.0.113.5\0']) {
      const each = Object.entries(properties).map(([name, schema]) => ({ [name]: filled(schema, text) }));
      const bodies = body ? [filled({ properties }, text) as object, ...each] : [undefined];
      const names = Object.keys((query as { properties?: Properties } | undefined)?.properties ?? {});
      const search = new URLSearchParams(names.map((name): [string, string] => [name, text])).toString();
      for (const id of [undefined, text])
        for (const json of bodies) {
          const at = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(id ?? ids[name] ?? 'nobody'));
          const { status } = await management.ask(method, `${at}?${search}`, { as, ...(json && { json }) });
          assert.ok(status < 500, `${operationId} ${status} ${at}?${search} ${JSON.stringify(json)}`);
        }
    }
  }
  assert.equal((await management.ask('GET', '/oapi/v1/devices', { as })).status, 200);
});
