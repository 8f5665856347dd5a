type Node = readonly [kind: number, children: Readonly<Record<string, Node>>];

const ICANN = 1;

/**
 * Generates the table of public suffixes (ICANN section) from the data of tldts. tldts does not export it, so it is read
 * from a file inside the package; a test compares the table with tldts.
 */
export async function publicSuffixesSource(): Promise<string> {
  const inside = 'tldts/dist/cjs/src/data/trie.js';
  const { rules, exceptions } = (await import(inside)) as Record<'rules' | 'exceptions', Node>;
  const below = Object.entries(rules[1]).map(([name, node]) => {
    const except = exceptions[1][name];
    const exceptionNames = except ? namesBelow(except, '').map((labels) => `!${labels}`) : [];
    return [name, isListed(node), [...namesBelow(node, ''), ...exceptionNames].sort()] as const;
  });
  const alone = below.filter(([, listed, names]) => listed && names.length === 0).map(([name]) => name);
  const branching = below.filter(([, , names]) => names.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return `// Made by scripts/generate.ts from the public suffixes that tldts carries; do not edit.

/** Top-level domains without further public suffixes below them. */
export const plainDomains = '${alone.sort().join(' ')}';

/**
 * Entries below each other top-level domain: "*" matches any label, "!" marks an exception, "." is the domain
 * itself.
 */
export const suffixesBelow: Readonly<Record<string, string>> = {
${branching.map(([name, listed, names]) => `  ${quoted(name)}: '${(listed ? ['.', ...names] : names).join(' ')}',`).join('\n')}
};
`;
}

const quoted = (name: string): string => (/^[a-z]+$/.test(name) ? name : `'${name}'`);

function namesBelow([, children]: Node, tail: string): string[] {
  return Object.entries(children).flatMap(([label, child]) => {
    const name = label + tail;
    return (isListed(child) ? [name] : []).concat(namesBelow(child, `.${name}`));
  });
}

const isListed = ([kind]: Node): boolean => (kind & ICANN) !== 0;
