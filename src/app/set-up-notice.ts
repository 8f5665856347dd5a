import { renderUnicodeCompact } from 'uqr';
import type { Deps } from '../api/deps.ts';
import { offerSetUp } from '../operations/set-up.ts';
import type { Settings } from '../settings/settings.ts';
import type { LogOutput } from './log-output.ts';

export type SetUpOutput = {
  readonly settings: Pick<Settings, 'log'>;
  readonly log: { readonly info: (details: object, text: string) => void };
  readonly output: Pick<LogOutput, 'write'>;
};

/** Without accounts, prints the link that creates the first one: as a log line in JSON, otherwise apart from the log lines. */
export async function printSetUpLink(deps: Deps, { settings, log, output }: SetUpOutput): Promise<void> {
  const code = await offerSetUp(deps);
  if (code === undefined) return;
  const setUpUrl = `${deps.publicUrl()}/set-up#${code}`;
  if (settings.log === 'json')
    return log.info({ setUpUrl, code }, 'no account exists yet: create the first one within 30 minutes');
  output.write(setUpNotice(setUpUrl, code, process.stdout.isTTY));
}

/** The QR code needs a terminal: in journals and logs of containers each of its lines would be an entry. */
const setUpNotice = (url: string, code: string, isTerminal: boolean): string => `
${isTerminal ? `${renderUnicodeCompact(url)}\n\n` : ''}  Weir is running. To create your account, open this link within 30 minutes${isTerminal ? ' or scan the code' : ''}:

    ${url}

  You can also enter the set-up code ${code} at ${new URL('/set-up', url).href}

`;
