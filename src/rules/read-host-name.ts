import { err, ok, type Result } from '../kit/result.ts';
import { wireName } from '../kit/wire-name.ts';
import { asciiName } from './punycode.ts';

/** Converts a host name in any script to wire format. Rejects other pasted text with a reason. */
export function readHostName(text: string): Result<Uint8Array, string> {
  const host = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#]*@)?([^/?#:]+)/i.exec(text)?.[1] ?? /^([^/?#:]+)[/?#:]/.exec(text)?.[1];
  if (host !== undefined) return err(`"${text}" is more than a host name: use ${host}`);
  const bytes = /\s/.test(text) ? undefined : wireName(asciiName(text));
  if (!bytes || bytes.length === 1)
    return err(
      `"${text}" is not a host name such as www.example.org: labels of at most 63 bytes with dots between them`,
    );
  return ok(bytes);
}
