import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { until } from './support/kit/until.ts';
import { missing } from './support/programs.ts';

// The state of the resolver over HTTP: connection data, explanations, metrics.

const needs = { skip: missing('dig') };
const world = await startWorld({ after });
const home = await makeHome(await startDns({ after }, world.address));
const { service, server, ask } = home;

const admin = async (path: string): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${service.adminPort}${path}`);
  assert.equal(response.status, 200, path);
  return response.text();
};

async function openedFrom(localAddress: string, url: string): Promise<string> {
  const sent = request(url, { localAddress }).end();
  return text(
    await new Promise<NodeJS.ReadableStream>((resolve, reject) => sent.on('response', resolve).on('error', reject)),
  );
}

test(
  'the first query after a link was opened belongs to the device, and after unlinking to no device',
  needs,
  async () => {
    const { id } = await home.device('Router', 'ROUTER');
    const at = `/api/v1/devices/${id}/linked_address`;
    const { link_url } = await ask('GET', at);
    assert.ok(String(link_url).startsWith(service.url), link_url);
    const asked = () => home.dug(undefined, 'udp', '-b', '127.0.0.91', 'www.example.com');
    assert.equal((await asked()).status, 'REFUSED');
    assert.match(await openedFrom('127.0.0.91', link_url), /^127\.0\.0\.91 has been linked to Router$/m);
    assert.equal((await asked()).status, 'NOERROR');
    await ask('DELETE', at);
    assert.equal((await asked()).status, 'REFUSED');
  },
);

test('a question is explained by the rules that hold for its device', async () => {
  const { id: device_id } = await home.device('Tablet');
  await home.set({
    user_rules_settings: {
      enabled: true,
      rules: ['||ads.example^', '@@||good.ads.example^', '||moved.example^$dnsrewrite=192.0.2.5'],
    },
  });
  const explain = (name: string, more: object = {}) =>
    ask('POST', `/api/v1/dns_servers/${server}/explain`, { name, ...more });
  const blocked = await explain('www.ads.example', { device_id });
  assert.deepEqual(blocked.verdict, { kind: 'block', source: 'user rules', list: 'custom', rule: '||ads.example^' });
  assert.deepEqual([blocked.filtering, blocked.missing_lists], ['full', ['safe_browsing']]);
  const good = await explain('Good.ads.example', { type: 'aaaa' });
  assert.equal(good.verdict.kind, 'allow');
  assert.deepEqual(
    good.rules.map(({ rule, outcome }: { rule: string; outcome: string }) => [rule, outcome]),
    [
      ['@@||good.ads.example^', 'won'],
      ['||ads.example^', 'lost to a stronger rule'],
    ],
  );
  const moved = await explain('moved.example');
  assert.deepEqual([moved.verdict.kind, moved.verdict.rewritten_to], ['rewrite', ['A 192.0.2.5']]);
  assert.deepEqual((await explain('www.example.com')).verdict, { kind: 'pass' });
  await ask('PUT', `/oapi/v1/devices/${device_id}/settings`, { protection_enabled: false });
  assert.equal((await explain('www.ads.example', { device_id })).filtering, 'off');
  for (const wrong of [
    { name: 'https://www.example.com/' },
    { name: 'a b' },
    { type: 'NOPE' },
    { device_id: 'ffffffff' },
  ])
    await assert.rejects(explain('www.example.com', wrong), /400/);
});

test('how every list of the catalogue is can be seen', async () => {
  const lists = await ask('GET', '/api/v1/filter_lists/health');
  assert.ok(lists.length > 10);
  // Not the first one: a new account uses it.
  const last = lists.at(-1);
  assert.deepEqual([last.is_in_use, last.rules_count, last.problem], [false, undefined, undefined]);
});

test(
  'operators see figures of queries, cache, upstreams, records and lists, and no client in them',
  needs,
  async () => {
    const { id } = await home.device('Figures');
    await home.dug(id, 'udp', 'figures.example.com');
    await home.logged('figures.example.com');
    const figures = await admin('/metrics');
    for (const line of [
      /^weir_dns_up 1$/m,
      /^weir_dns_cache_entries [1-9]/m,
      /^weir_dns_directory\{what="accounts"\} 1$/m,
      /^weir_dns_upstream_up\{upstream="[^"]+"\} 1$/m,
      /^weir_dns_records_written_total [1-9]/m,
      /^weir_dns_records_stored_total [1-9]/m,
      /^weir_dns_records_dropped_total\{reason="ring_full"\} 0$/m,
      /^weir_dns_certificate_expiry_timestamp_seconds \d{10}/m,
      /^weir_list_checks_total\{outcome="failed"\} \d+$/m,
      /^weir_dns_(udp_packets_total\{outcome="received"\}|listener_events_total\{transport="udp",event="received"\}) [1-9]/m,
      /^weir_dns_listener_events_total\{transport="tcp",event="accepted"\} \d/m,
      /^weir_dns_response_duration_seconds_count\{transport="udp",outcome="answered"\} [1-9]/m,
      /^weir_dns_upstream_duration_seconds_count\{upstream="[^"]+"\} [1-9]/m,
      /^weir_dns_responses_total\{rcode="NOERROR"\} [1-9]/m,
      /^weir_dns_cache_requests_total\{result="miss"\} [1-9]/m,
      /^weir_build_info\{version="[^"]+",node="[^"]+"\} 1$/m,
    ])
      assert.match(figures, line);
    assert.doesNotMatch(figures, new RegExp(`${id}|example\\.com|${server}`));
    const dns = JSON.parse(await admin('/dns'));
    assert.equal(dns.listens.dns.port, service.ports.dns);
    assert.equal(dns.upstreams.upstreams.length, 1);
    assert.deepEqual(Object.keys(JSON.parse(await admin('/lists'))), ['lists', 'checks']);
    assert.equal((await fetch(`http://127.0.0.1:${service.adminPort}/nope`)).status, 404);
  },
);

test('the readiness check includes DNS', async () => {
  const response = await fetch(`${service.url}/health/ready`);
  const ready = (await response.json()) as { parts: { settings: { revision: number; lagSeconds: number } } };
  const { revision, lagSeconds } = ready.parts.settings;
  assert.ok(revision > 0);
  // The time since the last look, every five seconds.
  assert.ok(lagSeconds <= 10, String(lagSeconds));
  assert.deepEqual(ready, {
    status: 'ready',
    dns: 'listening',
    parts: {
      settings: { state: 'current', revision, lagSeconds },
      upstreams: { state: 'up', up: 1, total: 1 },
      log: { state: 'storing', lagSeconds: 0, waiting: 0 },
    },
  });
});

test('the admin listener shows sources of lists without their secrets', async () => {
  const url = 'http://127.0.0.1:1/list.txt';
  const { id } = await ask('POST', '/api/v1/custom_lists', {
    name: 'Ours',
    url: url.replace('//', '//ann:SECRETWORD@').concat('?token=SECRETWORD'),
  });
  await ask('PUT', `/api/v1/dns_servers/${server}/custom_lists`, { custom_lists: [{ id }] });
  await until('the list', async () => (await admin('/lists')).includes(`${url}?…`));
  assert.equal((await admin('/lists')).includes('SECRETWORD'), false);
  await ask('PUT', `/api/v1/dns_servers/${server}/custom_lists`, { custom_lists: [] });
});
