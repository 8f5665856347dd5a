import { formatIp, parseIp } from '../kit/ip-address.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { readName } from './domain-name.ts';
import { hostsGap, hostsNameColumns, hostsNames } from './hosts-line.ts';
import { errorAt, type RuleError, shiftError } from './rule-error.ts';

// Names that every hosts file defines for the local machine; they are never blocked.
const localNames: ReadonlySet<string> = new Set([
  '0.0.0.0',
  'broadcasthost',
  'ip6-allhosts',
  'ip6-allnodes',
  'ip6-allrouters',
  'ip6-localhost',
  'ip6-localnet',
  'ip6-loopback',
  'ip6-mcastprefix',
  'local',
  'localhost',
  'localhost.localdomain',
  'localhost4',
  'localhost6',
]);

/** The normalised address of a hosts line; undefined if the line only resembles one. */
export function hostsAddress(text: string): string | undefined {
  const written = /^\[?([^\s%\]]*)\]?(?:%\w+)?\s/.exec(text)?.[1] ?? '';
  // Short form of the unspecified address in some lists.
  const ip = parseIp(written === '0' ? '0.0.0.0' : written);
  return ip && formatIp(ip);
}

/** The names of a hosts line, without local host names. */
export function readHostsNames(text: string): Result<readonly string[], RuleError> {
  const words = hostsNames(text);
  if (words.length === 0) return err({ reason: 'the host name after the address is missing', ...hostsGap(text) });
  const names = new Set<string>();
  for (const [nth, word] of words.entries()) {
    const { start } = hostsNameColumns(text, nth);
    if (localNames.has(word.toLowerCase())) continue;
    if (parseIp(word)) return err(errorAt(`"${word}" is an IP address: expected a host name`, start, word.length));
    const name = readName(word);
    if (!name.ok) return err(shiftError(name.error, start));
    names.add(name.value);
  }
  return ok([...names]);
}
