import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Schema from 'typebox/schema';
import { parse } from 'yaml';
import { operations } from '../src/api/operations.ts';
import { checkConfiguration } from '../src/compiler/index.ts';
import { readPlans } from '../src/domain/account-limits.ts';
import { openCatalogue } from '../src/domain/catalogue/catalogue.ts';
import { readSettings } from '../src/settings/settings.ts';
import { until } from './support/dns.ts';
import { documentedCommands } from './support/packaging/documented.ts';
import { type Service, startService } from './support/service.ts';

// Every example in README and docs is run: shell commands in a folder with the examples, JavaScript with the package
// under its name, configurations and settings through their checks. A text block below a command or program is what it
// prints. Every link has a target.

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'weir-docs-'));
cpSync(join(root, 'examples'), join(scratch, 'examples'), { recursive: true });
cpSync(join(root, 'bin'), join(scratch, 'bin'), { recursive: true });
// These call the real scripts in bin/, because copies could not find the program relative to themselves.
for (const name of ['weir', 'hostlist-compiler']) {
  writeFileSync(join(scratch, 'bin', name), `#!/bin/sh\nexec '${root}bin/${name}' "$@"\n`, { mode: 0o755 });
}
after(() => rmSync(scratch, { recursive: true }));

type Example = {
  readonly document: string;
  readonly language: string;
  readonly code: string;
  readonly output: string | undefined;
  readonly line: number;
};

function examplesIn(name: string): Example[] {
  const document = textOf(name);
  const blocks = [...document.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((match) => ({
    language: match[1]!,
    code: match[2]!,
    line: document.slice(0, match.index).split('\n').length,
    end: match.index + match[0].length,
    start: match.index,
  }));
  return blocks.map(({ language, code, line, end }, at) => {
    const next = blocks[at + 1];
    const isOutput = next?.language === 'text' && document.slice(end, next.start).trim() === '';
    return { document: name, language, code, line, output: isOutput ? next.code : undefined };
  });
}

const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

const runners: Readonly<Record<string, (example: Example) => void | Promise<void>>> = {
  sh: runShell,
  js: runProgram,
  yaml: ({ code }) => checkYaml(code),
  ini: ({ code }) => checkEnvironment(code),
};

/** Checks by first line, which names the kind of every YAML example except compiler configurations. */
const yamlChecks: Readonly<Record<string, (text: string) => void | Promise<void>>> = {
  '# weir.yaml': checkSettings,
  '# plans.yaml': (text) => assertRead(readPlans(parse(text))),
  '# catalogue.yaml': (text) => assertRead(openCatalogue(parse(text) as object)),
};

async function checkYaml(text: string): Promise<void> {
  const check = yamlChecks[text.split('\n', 1)[0]!];
  if (check) return check(text);
  assert.deepEqual(checkConfiguration(parse(text)), { ok: true, value: parse(text) });
}

const assertRead = (read: { readonly ok: boolean }): void => assert.ok(read.ok, JSON.stringify(read));

async function checkSettings(text: string): Promise<void> {
  writeFileSync(join(scratch, 'weir.yaml'), text);
  const read = await readSettings({ words: ['--config', 'weir.yaml'], env: {}, cwd: scratch });
  assert.ok(read.ok, String(!read.ok && read.error));
  assert.ok(Schema.Check(settingsSchema, parse(text)), 'the JSON schema refuses it');
}

const settingsSchema = JSON.parse(readFileSync(join(root, 'docs/weir.schema.json'), 'utf8')) as object;

/** The environment of a unit of systemd: `Environment=A=1 B=2`, in quotes where a value has blanks. */
async function checkEnvironment(unit: string): Promise<void> {
  const lines = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line = '']) => line);
  const assignments = lines.flatMap((line) => (line.startsWith('"') ? [line.slice(1, -1)] : line.split(' ')));
  assert.ok(assignments.length > 0);
  const env = Object.fromEntries(assignments.map((each) => [each.split('=')[0]!, each.replace(/^[^=]*=/, '')]));
  const read = await readSettings({ words: [], env, cwd: scratch });
  assert.ok(read.ok, String(!read.ok && read.error));
}

async function runShell({ document, code, output }: Example): Promise<void> {
  // Not from within the tests: `npm test` removes the packages that they run on.
  if (code === 'npm start\n') return startAsDocumented();
  const commands = code.replace(/^npm test$/m, 'true').replaceAll('127.0.0.1:8080', await serviceAddress());
  const PATH = `${join(scratch, 'bin')}:${process.env['PATH']}`;
  const { data: WEIR_DATA } = await service!;
  check(
    spawnSync('sh', ['-c', `${inOneTerminal(document)}\n${commands}`], {
      cwd: scratch,
      encoding: 'utf8',
      env: { ...process.env, PATH, WEIR_DATA },
    }),
    output,
  );
}

/** Runs an example with the variables of the earlier examples. A failing command or an HTTP error status fails it. */
function inOneTerminal(document: string): string {
  const variables = join(scratch, `${document.replaceAll('/', '-')}.variables`);
  return [
    'exec 2>&1',
    'set -ea',
    'curl() { command curl -fS "$@"; }',
    `[ ! -f '${variables}' ] || . '${variables}'`,
    `trap "export -p > '${variables}'" EXIT`,
  ].join('\n');
}

/** The service that the examples speak to, on a port of its own. */
let service: Promise<Service> | undefined;
const ends: (() => unknown)[] = [];
after(() => Promise.all(ends.map((end) => end())));
const serviceAddress = async (): Promise<string> => {
  // It runs longer than the example that it was started for.
  // Examples create several accounts, and link the address of this machine.
  const flags = ['--link-private-address', 'allow'];
  service ??= startService({ after: (end) => void ends.push(end as () => unknown) }, flags).then(setUp);
  return `127.0.0.1:${(await service).port}`;
};

/** Makes the first account as documented for programs. */
async function setUp(started: Service): Promise<Service> {
  const [command = ''] = documentedCommands('docs/operations.md', 'The first account');
  const code = await until('the code', () => started.log.find((entry) => entry['code'] !== undefined)?.['code']);
  const filled = command
    .replace('http://127.0.0.1:8080/', `${started.url}/`)
    .replace('ABCD-EFGH-IJKL', String(code))
    .replace('…', 'a long password of the first account');
  check(spawnSync('sh', ['-c', `${inOneTerminal('set-up')}\n${filled}`], { cwd: scratch, encoding: 'utf8' }));
  return started;
}

/** test/start.test.ts runs `npm start`; the examples below it need the service. */
async function startAsDocumented(): Promise<void> {
  const response = await fetch(`http://${await serviceAddress()}/health/ready`);
  assert.equal(response.status, 200);
}

async function runProgram({ document, code, output }: Example): Promise<void> {
  const folder = join(root, '.cache', 'docs');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'example.mjs');
  writeFileSync(
    file,
    code.includes('127.0.0.1:8080') ? code.replaceAll('127.0.0.1:8080', await serviceAddress()) : code,
  );
  const command = `${inOneTerminal(document)}\n'${process.execPath}' '${file}'`;
  check(spawnSync('sh', ['-c', command], { cwd: scratch, encoding: 'utf8' }), output);
}

function check(
  { status, stdout, stderr }: { status: number | null; stdout: string; stderr: string },
  output?: string,
): void {
  const failsOnPurpose = output?.startsWith('weir: ');
  assert.equal(status, failsOnPurpose ? 1 : 0, stdout + stderr);
  if (output !== undefined) assert.equal(settled(stdout), settled(output));
}

/** Times differ from run to run, and so does the order in which sources arrive. */
const settled = (text: string): string =>
  text
    .replace(/\d+\.\d s/g, '0.0 s')
    .split('\n')
    .map((line) => line.trimEnd())
    .sort()
    .join('\n')
    .trim();

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

for (const document of documents) {
  for (const example of examplesIn(document)) {
    const run = runners[example.language];
    if (run) test(`${document}:${example.line}: the ${example.language} example works`, () => run(example));
  }
}

test('every example configuration is valid', async () => {
  for (const name of readdirSync(join(root, 'examples')).filter((file) => /\.(ya?ml|json)$/.test(file))) {
    await checkYaml(readFileSync(join(root, 'examples', name), 'utf8'));
  }
});

test('CI runs the test command of the README', () => {
  assert.match(readFileSync(join(root, '.ci/run'), 'utf8'), /^CI=true npm test$/m);
  assert.ok(examplesIn('README.md').some(({ code }) => code === 'npm test\n'));
});

/** The anchor of a heading, as generated by Markdown renderers. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const anchorsIn = (text: string): string[] =>
  Array.from(text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm), ([, heading = '']) => anchorOf(heading));

function brokenLinks(document: string): string[] {
  const text = textOf(document).replaceAll(/^```.*?^```$/gms, '');
  return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter((target) => {
    if (/^https?:/.test(target)) return !URL.canParse(target);
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? document : join(dirname(document), path);
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchorsIn(textOf(file)).includes(anchor);
  });
}

test('every link in the documents leads somewhere', () => {
  for (const document of [...documents, 'ARCHITECTURE.md', 'CHANGELOG.md'])
    assert.deepEqual(brokenLinks(document), [], document);
});

test('docs/management-api.md has every operation below /api/v1', () => {
  const text = textOf('docs/management-api.md');
  const own = operations.filter(({ path }) => path.startsWith('/api/v1/'));
  const names = own.map(({ method, path }) => `\`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}\``);
  assert.deepEqual(
    names.filter((name) => !text.includes(name)),
    [],
  );
});

test('docs/decisions.md has a reason for every dependency', () => {
  const names = ['package.json', 'tools/node/package.json'].flatMap((file) => {
    const manifest = JSON.parse(textOf(file)) as Record<string, Record<string, string>>;
    return Object.keys({
      ...manifest['dependencies'],
      ...manifest['optionalDependencies'],
      ...manifest['devDependencies'],
    });
  });
  const table = textOf('docs/decisions.md').matchAll(/^\| ([^|]+?)(?: \(dev\))? \|/gm);
  const explained = Array.from(table, ([, packages = '']) => packages.split(', ')).flat();
  assert.deepEqual(
    names.filter((name) => !explained.includes(name)),
    [],
  );
});

test('docs/operations.md has every member that the service log names', async () => {
  const logged = /\blog\.(?:info|warn|error|debug|fatal)\(\s*\{((?:[^{}]|\{[^{}]*\})*)\}\s*,/g;
  const names = new Set<string>();
  for (const file of globSync('src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue;
    for (const [, members] of readFileSync(join(root, file), 'utf8').matchAll(logged))
      for (const [, name] of members!.replace(/\{[^{}]*\}/g, '').matchAll(/(?:^|,)\s*([A-Za-z]\w*)/g)) names.add(name!);
  }
  assert.ok(names.has('err') && names.has('requestId'), [...names].join());
  const section = readFileSync(join(root, 'docs/operations.md'), 'utf8').split('## Service log')[1]!.split('\n## ')[0]!;
  assert.deepEqual(
    [...names].filter((name) => !section.includes(`\`${name}\``)),
    [],
  );
});
