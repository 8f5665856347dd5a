import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../compiler/index.ts';
import { withFileName } from '../list-sources/with-file-name.ts';
import { findJsonError } from './json-error.ts';

/** Reads a configuration from a file, or from standard input for "-". */
export async function readConfiguration(file: string, signal?: AbortSignal): Promise<unknown> {
  const content = file === '-' ? await readStandardInput(signal) : await readText(file);
  const name = file === '-' ? 'standard input' : file;
  return isYaml(file, content) ? parseYaml(content, name) : parseJson(content, name);
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw withFileName(error, file);
  }
}

async function readStandardInput(signal: AbortSignal | undefined): Promise<string> {
  const { text } = await import('node:stream/consumers');
  const stop = (): void => void process.stdin.destroy(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    return await text(process.stdin);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Decides by file name, otherwise by the first character. */
function isYaml(file: string, content: string): boolean {
  if (/\.ya?ml$/i.test(file)) return true;
  return !/\.json$/i.test(file) && !/^\s*[{[]/.test(content);
}

function parseJson(content: string, name: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    // The message of the engine without its position, which it reports only for some errors.
    const [fault = ''] = (error as SyntaxError).message.split(/ in JSON at position| at position| \(line \d/);
    throw notReadable(name, `not valid JSON: ${fault} (${lineAndColumn(content, findJsonError(content) ?? 0)})`);
  }
}

function lineAndColumn(content: string, position: number): string {
  const before = content.slice(0, position).split('\n');
  return `line ${before.length} column ${before.at(-1)!.length + 1}`;
}

async function parseYaml(content: string, name: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(content, { prettyErrors: true });
  const fault = document.errors[0];
  if (fault) throw notReadable(name, `not valid YAML: ${fault.message}`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    const { message } = error as Error;
    const advice = message.startsWith('Unresolved alias') ? '; put values that begin with "*" in quotes' : '';
    throw notReadable(name, `not valid YAML: ${message}${advice}`);
  }
}

const notReadable = (name: string, message: string): ConfigurationError =>
  new ConfigurationError([{ path: '', message: `${name} is ${message}` }]);
