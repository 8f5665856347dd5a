import { type Flags, flagsHelp, parseFlags } from './flags.ts';
import { messageOf } from './message-of.ts';
import { count } from './number-text.ts';
import { readStoreSettings, storeFlags } from './store-settings.ts';

const flags = {
  ...storeFlags,
  email: { value: 'ADDRESS', help: 'e-mail address of the user' },
  days: { value: 'DAYS', help: 'number of days (7)' },
  queries: { value: 'COUNT', help: 'number of queries (100000)' },
  help: { short: 'h', help: 'show this help' },
} as const satisfies Flags;

const usage = `Usage: weir dev seed --email ADDRESS [FLAGS]

Fills the query log and the statistics of an account with generated traffic for tests and demonstrations. The service must not be
running on the same folder.

${flagsHelp(flags)}`;

export async function run([verb, ...words]: readonly string[]): Promise<number> {
  const parsed = parseFlags(words, flags);
  if (verb !== 'seed' || !parsed.ok || parsed.value.given.has('help') || !parsed.value.given.has('email')) {
    console.log(usage);
    return parsed.ok && (verb === '--help' || parsed.value.given.has('help')) ? 0 : 1;
  }
  const { given } = parsed.value;
  try {
    const { seed } = await import('../app/seed.ts');
    const number = (name: 'days' | 'queries', usual: number): number => {
      const value = Number(given.get(name)?.[0] ?? usual);
      if (!Number.isInteger(value) || value < 1)
        throw new Error(`--${name}: "${given.get(name)?.[0]}" is not a number above 0`);
      return value;
    };
    const done = await seed(await readStoreSettings(given), {
      email: given.get('email')![0]!,
      days: number('days', 7),
      queries: number('queries', 100_000),
      now: Date.now(),
      // Not security-relevant.
      random: Math.random,
      onProgress: (written, of) =>
        process.stderr.isTTY && process.stderr.write(`\r${count(written)} of ${count(of)} queries`),
    });
    if (process.stderr.isTTY) process.stderr.write('\n');
    console.log(`${count(done)} queries written`);
    return 0;
  } catch (error) {
    console.error(`weir: ${messageOf(error)}`);
    return 1;
  }
}
