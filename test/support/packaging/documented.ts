import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { arch } from 'node:os';

const root = new URL('../../../', import.meta.url);

/**
 * The commands of the console blocks of a section. test/docs.test.ts runs blocks of the language `sh`; a console block has commands that need
 * root, packages or a prompt, and the test of its subject runs them. Paths and names of this processor replace those of x64.
 */
export function documentedCommands(document: string, section: string): readonly string[] {
  const text = readFileSync(new URL(document, root), 'utf8');
  const [, own] = text.split(new RegExp(`^#+ ${section}$`, 'm'));
  assert.ok(own !== undefined, `${document} has no section ${section}`);
  const blocks = own.split(/^#+ /m)[0]!.matchAll(/^```console\n(.*?)^```$/gms);
  return Array.from(blocks, ([, code = '']) => commandsIn(code)).flat();
}

/** The command that begins with this text, as it is documented. */
export function documentedCommand(document: string, section: string, beginning: string): string {
  const found = documentedCommands(document, section).find((command) => command.startsWith(beginning));
  return found ?? assert.fail(`${document}, ${section}: no command begins with ${beginning}`);
}

export function commandsIn(code: string): readonly string[] {
  const lines = code.replaceAll('\\\n', ' ').split('\n').filter(Boolean);
  return arch() === 'x64' ? lines : lines.map((line) => line.replaceAll('amd64', 'arm64').replaceAll('x64', 'arm64'));
}
