import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { startWorld } from './support/dns-upstream.ts';
import { missing } from './support/programs.ts';

type Dashboard = {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly {
      readonly expr?: string;
      readonly url?: string;
      readonly root_selector?: string;
      readonly columns?: readonly { readonly selector: string }[];
    }[];
  }[];
};

const dashboard = (name: string): Dashboard => JSON.parse(readFileSync(`deploy/grafana/${name}.json`, 'utf8'));

const world = await startWorld({ after });
const service = await startDns({ after }, world.address);
const home = await makeHome(service);
const { id } = await home.device('Monitored');
await home.dug(id, 'udp', 'www.example.com');
await home.dug(id, 'dot', 'www.example.com');
await home.logged('www.example.com');
const metrics = await (await fetch(`http://127.0.0.1:${service.adminPort}/metrics`)).text();

const needsDig = { skip: missing('dig', 'kdig') };
const needsPromtool = { skip: missing('promtool') };

function promtool(words: readonly string[], input = ''): void {
  const { status, stdout, stderr } = spawnSync('promtool', words, { input, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
}

test('the metrics follow the conventions of Prometheus', needsPromtool, () => promtool(['check', 'metrics'], metrics));

test('the alert rules are valid, and each fires when it should', needsPromtool, () => {
  promtool(['check', 'rules', 'deploy/prometheus/alerts.yaml']);
  promtool(['test', 'rules', 'deploy/prometheus/alerts.test.yaml']);
});

test('no label value has a blank', () => {
  for (const [, value] of metrics.matchAll(/="([^"]*)"/g)) assert.doesNotMatch(value!, /\s/);
});

/** Names in expressions; the parts of a histogram count as the histogram. */
const metricsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:weir|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);

test('dashboard and alert rules use only metrics that exist', needsDig, () => {
  const known = new Set([...metrics.matchAll(/^([a-z0-9_]+)(?:\{| )/gm)].map(([, name]) => name!));
  // Absent until an upstream fails, or without a filter list.
  const rare = ['weir_dns_upstream_failures_total', 'weir_list_age_seconds'];
  const expressions = dashboard('operation').panels.flatMap(({ targets }) => targets.map(({ expr }) => expr!));
  const rules = readFileSync('deploy/prometheus/alerts.yaml', 'utf8');
  const used = [...expressions, rules].flatMap(metricsIn).filter((name) => !rare.includes(name));
  assert.ok(used.length > 20);
  for (const name of used) {
    const isHistogram = known.has(`${name}_bucket`);
    assert.ok(known.has(name) || isHistogram, `${name} does not exist`);
  }
});

test('the dashboard of an account reads statistics that the API has', needsDig, async () => {
  const now = Date.now();
  for (const { title, targets } of dashboard('account').panels)
    for (const { url, root_selector: root, columns } of targets) {
      const path = url!.replace(/\$\{__(from|to)\}/g, (_, end) => `${end === 'from' ? now - 86_400_000 : now}`);
      const response = await fetch(service.url + path, { headers: { authorization: home.authorization } });
      assert.equal(response.status, 200, title);
      const [row] = ((await response.json()) as Record<string, readonly unknown[]>)[root!]!;
      for (const { selector } of columns!) {
        const value = selector.split('.').reduce((at: unknown, key) => (at as Record<string, unknown>)[key], row);
        assert.notEqual(value, undefined, `${title}: ${selector}`);
      }
    }
});
