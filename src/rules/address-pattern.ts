import { parseIp } from '../kit/ip-address.ts';
import type { Pattern } from './rule.ts';

const IPV4_PART = /^(?=.*\d)(?=.*\.)[\d.]+$/;
const IPV6_PART = /^(?=.*:)[\da-f:.]+$/;

/**
 * Whether a pattern is meant for addresses. Other patterns do not apply to the addresses in an answer: `*` means all names, not all
 * addresses.
 */
export function isAddressPattern(pattern: Pattern): boolean {
  if (pattern.kind === 'wildcard') {
    const text = pattern.pieces.join('');
    return IPV4_PART.test(text) || IPV6_PART.test(text);
  }
  if (pattern.kind === 'expression') return isAddressExpression(pattern.source);
  return pattern.kind !== 'subdomains' && parseIp(pattern.name) !== undefined;
}

/** Only digits, separators and operators, and a literal digit before a separator: `^192\.0\.2\.\d+$`, `^2001:db8:`. */
function isAddressExpression(source: string): boolean {
  const text = source.replaceAll('\\d', '');
  return (
    (/\d\\\./.test(text) && /^[\d\\.^$()[\]{}|?*+,:-]*$/.test(text)) ||
    (/[\da-f]:/i.test(text) && /^[\da-f\\.^$()[\]{}|?*+,:-]*$/i.test(text))
  );
}
