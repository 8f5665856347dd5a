const benches: Readonly<Record<string, () => Promise<{ run(words: readonly string[]): Promise<void> }>>> = {
  compile: () => import('./compile.ts'),
  service: () => import('./service.ts'),
  log: () => import('./log.ts'),
  records: () => import('./records.ts'),
  tiers: () => import('./log-tiers.ts'),
  api: () => import('./api.ts'),
  engine: () => import('./engine.ts'),
  dns: () => import('./dns.ts'),
  start: () => import('./start.ts'),
  scale: () => import('./scale.ts'),
  web: () => import('./web.ts'),
  abuse: () => import('./abuse.ts'),
};

const [name, ...words] = process.argv.slice(2);
const chosen = name === undefined ? Object.keys(benches) : [name];
for (const bench of chosen) {
  const load = benches[bench];
  if (!load) throw new Error(`no bench "${bench}"; there are: ${Object.keys(benches).join(', ')}`);
  await (await load()).run(words);
}
