import { styleText } from 'node:util';
import type { Finding } from '../app/doctor/finding.ts';
import { readSettings } from '../settings/settings.ts';

const usage = `Usage: weir doctor [SETTINGS] [--json]

Checks this machine for "weir serve" with the same settings: ports, permissions,
disk space, upstreams and loops, certificate, clock, and, while the service
runs, whether it can be reached from the local network. It changes nothing.
Each problem is printed with a remedy; the exit code is 1 if there are problems.

  --json                           print the results as JSON
  -h, --help                       show this help

The settings are those of "weir serve --help": flags, environment and file.

Examples:
  weir doctor
  weir doctor --config /etc/weir/weir.yaml
  weir doctor --data /var/lib/weir --dns :5300 --json`;

export async function run(words: readonly string[]): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    console.log(usage);
    return 0;
  }
  const isJson = words.includes('--json');
  const others = words.filter((word) => word !== '--json');
  const read = await readSettings({ words: others, env: process.env, cwd: process.cwd() });
  if (!read.ok) {
    console.error(['weir: invalid settings:', ...read.error.map((problem) => `  ${problem}`)].join('\n'));
    return 1;
  }
  const { examine } = await import('../app/doctor/examine.ts');
  const findings = await examine(read.value.settings);
  console.log(isJson ? JSON.stringify(findings, undefined, 2) : findings.map(formatFinding).join('\n'));
  const problems = findings.filter(({ state }) => state === 'problem').length;
  if (!isJson)
    console.log(problems === 0 ? '\nNo problems found.' : `\n${problems} ${problems === 1 ? 'problem' : 'problems'}.`);
  return problems === 0 ? 0 : 1;
}

const styles = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

function formatFinding({ check, state, text, advice }: Finding): string {
  const word = styleText(styles[state], state.padEnd(8), { stream: process.stdout });
  return `${word} ${check}: ${text}${advice === undefined ? '' : `\n         ${advice}`}`;
}
