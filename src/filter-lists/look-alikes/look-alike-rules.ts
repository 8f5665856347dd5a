import { knownDomains } from '../../domain/catalogue/company.ts';
import { webServiceDomains } from '../../domain/catalogue/web-service.ts';
import { publicSuffix } from '../../rules/public-suffix.ts';
import { asciiName } from '../../rules/punycode.ts';
import { homoglyphs } from './homoglyphs.ts';
import { popularDomains } from './popular-domains.ts';
import { typingErrors } from './typing-errors.ts';

export type LookAlikeKind = 'typosquatting' | 'homoglyph';

const variantsOf: Readonly<Record<LookAlikeKind, (label: string) => ReadonlySet<string>>> = {
  typosquatting: typingErrors,
  homoglyph: homoglyphs,
};

/** Legitimate sites whose names differ from a popular one by one error. */
const otherSites =
  'mail.com shin.com rocker.com morton.com lack.com witch.tv mono.com appel.com range.com raken.com edger.com';

/** Rules that block names which imitate popular ones. Names of known companies and services are exempt. */
export function lookAlikeRules(kind: LookAlikeKind): string {
  const excluded = new Set([
    ...popularDomains,
    ...knownDomains().keys(),
    ...webServiceDomains(),
    ...otherSites.split(' '),
  ]);
  const found = new Set<string>();
  for (const domain of popularDomains) {
    const { suffix } = publicSuffix(domain);
    const label = domain.slice(0, -suffix.length - 1);
    for (const variant of variantsOf[kind](label)) found.add(asciiName(`${variant}.${suffix}`));
  }
  return [...found]
    .filter((name) => !excluded.has(name))
    .map((name) => `||${name}^`)
    .join('\n');
}
