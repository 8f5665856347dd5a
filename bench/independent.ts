import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../.cache/independent/', import.meta.url));
const door = join(folder, 'node_modules/@adguard/tsurlfilter/dist/es/index.js');

/** The verdict of tsurlfilter for a name; undefined when no rule matches. */
type IndependentVerdict = { readonly kind: 'allow' | 'block'; readonly text: string };
type IndependentEngine = (name: string) => IndependentVerdict | undefined;

type Found = { isAllowlist?(): boolean; getFilterListId(): number; getIndex(): number };
type Library = {
  readonly StringRuleList: new (id: number, text: string, ...ignoring: boolean[]) => object;
  readonly RuleStorage: new (lists: readonly object[]) => object;
  readonly DnsEngine: new (
    storage: object,
  ) => { match(name: string): { basicRule: Found | null; hostRules: readonly Found[] } };
};

/** The DNS engine of tsurlfilter, installed into a cache folder on request. It is GPL and must not become a dependency. */
export async function independentEngine(texts: readonly string[]): Promise<IndependentEngine> {
  if (!existsSync(door)) install();
  const { StringRuleList, RuleStorage, DnsEngine } = (await import(pathToFileURL(door).href)) as Library;
  const lists = texts.map((text, id) => new StringRuleList(id, text, false, true, true));
  const engine = new DnsEngine(new RuleStorage(lists));
  const verdict = (found: Found, kind: IndependentVerdict['kind']): IndependentVerdict => ({
    kind,
    text: lineAt(texts[found.getFilterListId()]!, found.getIndex()),
  });
  return (name) => {
    const { basicRule, hostRules } = engine.match(name);
    if (basicRule) return verdict(basicRule, basicRule.isAllowlist?.() ? 'allow' : 'block');
    return hostRules[0] && verdict(hostRules[0], 'block');
  };
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? undefined : end).trim();
}

function install(): void {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    private: true,
    dependencies: { '@adguard/tsurlfilter': '6.0.3' },
    // Some mirrors lack the exact version of a dependency.
    overrides: { '@adguard/agtree': '^4.2.0' },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
    cwd: folder,
    stdio: 'inherit',
  });
}
