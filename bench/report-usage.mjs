// Loaded into a measured Node process: says at its end what it used.
import { appendFileSync } from 'node:fs';

const file = process.env.WEIR_BENCH_USAGE;
if (file) process.on('exit', () => appendFileSync(file, `${process.resourceUsage().maxRSS * 1024}\n`));
