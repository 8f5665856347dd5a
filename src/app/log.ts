import { styleText } from 'node:util';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Settings } from '../settings/settings.ts';
import { type LogOutput, openLogOutput } from './log-output.ts';

/** One line per event on standard output: JSON or text. */
export function createLog(
  { log: format, logLevel }: Pick<Settings, 'log' | 'logLevel'>,
  output: LogOutput = openLogOutput(),
): Logger {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const log = pino(options, format === 'json' ? output : asText(output));
  output.onRecovered((lost) => log.warn({ lost }, 'log lines could not be written for some time'));
  return log;
}

const colours = { trace: 'gray', debug: 'gray', info: 'green', warn: 'yellow', error: 'red', fatal: 'red' } as const;

const asText = (output: LogOutput): DestinationStream => ({
  write(line) {
    const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const colour = colours[level as keyof typeof colours] ?? 'white';
    const details = Object.entries(rest).map(
      ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    const fault = typeof err === 'object' && err !== null && 'stack' in err ? `\n${String(err.stack)}` : '';
    const word = styleText(colour, String(level).padEnd(5), { stream: process.stdout });
    // Removes control characters, which could control the terminal.
    const text = `${String(msg)}${details.join('')}`.replace(/[\x00-\x1f\x7f-\x9f]/g, '\u{FFFD}');
    output.write(`${String(time)} ${word} ${text}${fault}\n`);
  },
});
