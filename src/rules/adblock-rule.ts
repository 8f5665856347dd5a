export type AdblockRule = {
  readonly allow: boolean;
  readonly pattern: string;
  /** The text after the separating `$`; undefined without one. */
  readonly modifiers: string | undefined;
};

/** Splits a line into pattern and modifiers, without validating it. */
export function splitAdblockRule(text: string): AdblockRule {
  const allow = text.startsWith('@@');
  const rest = allow ? text.slice(2) : text;
  if (isRegexRule(rest) && !rest.includes('replace=')) return { allow, pattern: rest, modifiers: undefined };
  const dollar = lastUnescaped(rest, '$');
  if (dollar === -1) return { allow, pattern: rest, modifiers: undefined };
  return { allow, pattern: rest.slice(0, dollar), modifiers: rest.slice(dollar + 1) };
}

export const isRegexRule = (pattern: string): boolean => pattern.startsWith('/') && pattern.endsWith('/');

/** The modifiers as written, one by one. */
export function splitModifiers(modifiers: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = modifiers.indexOf(','); at !== -1; at = modifiers.indexOf(',', at + 1)) {
    if (modifiers[at - 1] === '\\') continue;
    parts.push(modifiers.slice(from, at));
    from = at + 1;
  }
  parts.push(modifiers.slice(from));
  return parts;
}

export function modifierName(modifier: string): string {
  const equals = modifier.indexOf('=');
  return equals === -1 ? modifier : modifier.slice(0, equals);
}

/** Cosmetic rules (element hiding, style, script, HTML) apply to page content, which DNS never sees. */
export const isCosmetic = (text: string): boolean => /#@?[$?%]{0,2}#|\$@?\$/.test(text);

function lastUnescaped(text: string, character: string): number {
  let at = text.lastIndexOf(character);
  while (at > 0 && text[at - 1] === '\\') at = text.lastIndexOf(character, at - 1);
  return at;
}
