import type { NamedPattern } from './domain-rules.ts';

/** Text forms of domain rules that follow from the name. A table stores the form of the first rule of each kind. */
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

/** Indexes of the forms that the bulk reader recognises. */
export const DOMAIN_FORM = 0;
export const NAME_FORM = 0;
export const ZERO_FORM = 1;
export const LOOPBACK_FORM = 2;
/** The text has none of these forms. */
export const IRREGULAR_FORM = 15;

/** Kinds of domain rules start at 1; each has four bits. */
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
  return found === -1 ? IRREGULAR_FORM : found;
}
