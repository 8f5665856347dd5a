import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../compiler/index.ts';

/** Reads a configuration from a file, or from standard input for "-". */
export async function readConfiguration(file: string): Promise<unknown> {
  const content = file === '-' ? await readStandardInput() : await readFile(file, 'utf8');
  const name = file === '-' ? 'standard input' : file;
  return isYaml(file, content) ? parseYaml(content, name) : parseJson(content, name);
}

async function readStandardInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return text(process.stdin);
}

/** By the name of the file; of what has no telling name, by what it begins with. */
function isYaml(file: string, content: string): boolean {
  if (/\.ya?ml$/i.test(file)) return true;
  return !/\.json$/i.test(file) && !/^\s*[{[]/.test(content);
}

function parseJson(content: string, name: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw notReadable(
      name,
      `not valid JSON: ${(error as SyntaxError).message}${placeIn(content, error as SyntaxError)}`,
    );
  }
}

/** JSON.parse tells a position as a count of characters; people look for lines. */
function placeIn(content: string, { message }: SyntaxError): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined || /line \d+ column \d+/.test(message)) return '';
  const before = content.slice(0, Number(position)).split('\n');
  return ` (line ${before.length} column ${before.at(-1)!.length + 1})`;
}

async function parseYaml(content: string, name: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(content, { prettyErrors: true });
  const fault = document.errors[0];
  if (fault) throw notReadable(name, `not valid YAML: ${fault.message}`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw notReadable(name, (error as Error).message);
  }
}

const notReadable = (name: string, message: string): ConfigurationError =>
  new ConfigurationError([{ path: '', message: `${name} is ${message}` }]);
