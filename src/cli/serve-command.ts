import { readSettings, settingsHelp } from '../settings/settings.ts';

const usage = (): string => `Usage: weir serve [SETTINGS]

Runs the service: DNS, web interface, management API and compile service.

${settingsHelp()}

  -h, --help                       show this help

Every setting is also an environment variable (--max-body is
WEIR_MAX_BODY) and a key of the YAML file (max-body: 10MiB). Flags override the
environment, the environment overrides the file. Defaults are in parentheses.
Lists are separated by commas, and their flags may be repeated.

Examples:
  weir serve
  weir serve --http :8080 --data /var/lib/weir
  weir serve --config weir.yaml --log json
  weir serve --trusted-proxy 10.0.0.0/8 --allow-source-host lists.internal
  WEIR_HTTP=127.0.0.1:9000 WEIR_ADMIN=off weir serve`;

export async function run(words: readonly string[]): Promise<number> {
  if (words.includes('--help') || words.includes('-h')) {
    console.log(usage());
    return 0;
  }
  const inputs = { words, env: process.env, cwd: process.cwd() };
  const read = await readSettings(inputs);
  if (!read.ok) {
    console.error(['weir: invalid settings:', ...read.error.map((problem) => `  ${problem}`)].join('\n'));
    return 1;
  }
  const { serve } = await import('../app/serve.ts');
  return serve(read.value, (stored) => readSettings({ ...inputs, ...(stored && { stored }) }));
}
