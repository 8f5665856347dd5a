import { type Setting, sections } from './setting.ts';
import { settingEntries } from './settings-table.ts';

const TERM_WIDTH = 34;
const WIDTH = 80;

/** The settings as flags, section by section, for a terminal of 80 columns. */
export const settingsHelp = (): string =>
  sections
    .map((section) => {
      const lines = settingEntries
        .filter(([, setting]) => setting.section === section)
        .map(([, each]) => flagHelp(each));
      return `${section}:\n${lines.join('\n')}`;
    })
    .join('\n\n');

function flagHelp({ name, kind, default: preset, help }: Setting): string {
  const term = `  --${name} ${kind.value}${kind.many ? ',…' : ''}`;
  const shown = preset && kind.many ? preset.replaceAll(',', ', ') : preset;
  const [first = '', ...rest] = wrap(shown ? `${help} (${shown})` : help, WIDTH - TERM_WIDTH - 1);
  const below = rest.map((line) => ' '.repeat(TERM_WIDTH + 1) + line);
  // A term that is wider than its column has a line to itself.
  const head =
    term.length > TERM_WIDTH ? [term, ' '.repeat(TERM_WIDTH + 1) + first] : [`${term.padEnd(TERM_WIDTH)} ${first}`];
  return [...head, ...below].join('\n');
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
