import type { NamedPattern } from './domain-rules.ts';

/** How bare rules are written whose text follows from their name; of each kind a table remembers the one of its first. */
const forms: Readonly<Record<NamedPattern, readonly (readonly [before: string, behind: string])[]>> = {
  domain: [['||', '^']],
  exact: [
    ['', ''],
    ['0.0.0.0 ', ''],
    ['127.0.0.1 ', ''],
    ['|', '^'],
  ],
  subdomains: [
    ['||*.', '^'],
    ['*.', '^'],
  ],
};

/** Indices of forms that the reader of plain lines knows without asking. */
export const DOMAIN_FORM = 0;
export const NAME_FORM = 0;
export const ZERO_FORM = 1;
export const LOOPBACK_FORM = 2;
/** The text is none of these. */
export const ODD_FORM = 15;

/** Kinds of bare rules are numbered from 1; each has four bits. */
const shiftOf = (kind: number): number => (kind - 1) * 4;

export const NO_FORMS = 0xffffff;
export const formOf = (all: number, kind: number): number => (all >>> shiftOf(kind)) & 15;
export const withForm = (all: number, kind: number, form: number): number =>
  (all & ~(15 << shiftOf(kind))) | (form << shiftOf(kind));

export function domainRuleText(allow: boolean, pattern: NamedPattern, form: number, name: string): string {
  const [before, behind] = forms[pattern][form]!;
  return `${allow ? '@@' : ''}${before}${name}${behind}`;
}

export function findForm(allow: boolean, pattern: NamedPattern, name: string, text: string): number {
  const found = forms[pattern].findIndex((_, form) => domainRuleText(allow, pattern, form, name) === text);
  return found === -1 ? ODD_FORM : found;
}
