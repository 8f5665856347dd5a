import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeHome, startDns } from './support/dns.ts';
import { overUdp } from './support/dns-client.ts';
import { startWorld } from './support/dns-upstream.ts';
import { post } from './support/service.ts';

const COMPILATIONS = Number(process.env['WEIR_COMPILATIONS'] ?? 4);
const RULES = Number(process.env['WEIR_COMPILATION_RULES'] ?? 60_000);
const FEWEST_QUERIES = 200;

const configuration = (name: string) => ({
  configuration: { name, sources: [{ source: 'all' }], transformations: ['Validate', 'Compress', 'Deduplicate'] },
  preFetchedContent: {
    all: Array.from({ length: RULES }, (_, at) => `||host${at}.${name}-${at % 977}.example^`).join('\n'),
  },
});

test('compilations do not cause lost DNS answers', async (t) => {
  const world = await startWorld(t);
  const flags = ['--requests-per-minute', '1000', '--cpu-seconds-per-minute', '1000'];
  const home = await makeHome(await startDns(t, world.address, flags));
  const { id } = await home.device('beside');
  const ask = await overUdp(t, home.service, id);
  await ask('cached.example.com');
  /** Cached and new names in turn until `isOver`; the p99 of both together. */
  const measure = async (isOver: () => boolean): Promise<{ answered: number; p99: number }> => {
    const tookMs: number[] = [];
    while (!isOver() || tookMs.length < FEWEST_QUERIES) {
      const startedAt = performance.now();
      await ask(tookMs.length % 2 === 0 ? 'cached.example.com' : `new${performance.now()}.example.com`);
      tookMs.push(performance.now() - startedAt);
    }
    tookMs.sort((one, other) => one - other);
    return { answered: tookMs.length, p99: tookMs[Math.floor(tookMs.length * 0.99)]! };
  };
  const quiet = await measure(() => true);
  let isOver = false;
  const compiling = Promise.all(
    Array.from({ length: COMPILATIONS }, (_, at) => post(home.service, '/compile', configuration(`list${at}`))),
  ).then((answers) => {
    isOver = true;
    return answers;
  });
  const busy = await measure(() => isOver);
  for (const { status, text } of await compiling) assert.equal(status, 200, text.slice(0, 200));
  t.diagnostic(
    `P12 ${COMPILATIONS} compilations of ${RULES} rules: ${busy.answered} of ${busy.answered} queries answered, p99 ${busy.p99.toFixed(1)} ms (quiet: ${quiet.p99.toFixed(1)} ms)`,
  );
});
