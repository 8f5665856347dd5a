import { plainDomains, suffixesBelow } from './public-suffixes.ts';

export type PublicSuffix = {
  readonly suffix: string;
  /** Whether the suffix is listed by a registry; otherwise it is the last label by default. */
  readonly listed: boolean;
};

/** The entries below one top-level domain: names without it, and whether a suffix ends there. */
type Branch = { readonly nodes: ReadonlyMap<string, boolean>; readonly exceptions: ReadonlySet<string> };

/** The table's entry for the domain itself; not a valid label. */
const ITSELF = '.';

// Parsed on the first lookup of a name below the domain, because most lists contain few of them.
const branches = new Map<string, Branch>();
let plain: ReadonlySet<string> | undefined;

/** The public suffix of a host name. Private suffixes (`github.io`) do not count. */
export function publicSuffix(hostname: string): PublicSuffix {
  const labels = hostname.split('.');
  const domain = labels.at(-1)!;
  if (!Object.hasOwn(suffixesBelow, domain)) {
    plain ??= new Set(plainDomains.split(' '));
    return { suffix: domain, listed: plain.has(domain) };
  }
  const { nodes, exceptions } = branchOf(domain);
  let listed = nodes.get(ITSELF) ?? false;
  let first = labels.length - 1;
  let path = '';
  for (let at = labels.length - 2; at >= 0; at--) {
    const name = path === '' ? labels[at]! : `${labels[at]}.${path}`;
    // An exception overrides the wildcard: the suffix is one label shorter.
    if (exceptions.has(name)) return { suffix: labels.slice(at + 1).join('.'), listed: true };
    path = nodes.has(name) ? name : path === '' ? '*' : `*.${path}`;
    const ends = nodes.get(path);
    if (ends === undefined) break;
    if (!ends) continue;
    listed = true;
    first = at;
  }
  return { suffix: labels.slice(first).join('.'), listed };
}

function branchOf(domain: string): Branch {
  const found = branches.get(domain);
  if (found) return found;
  const nodes = new Map<string, boolean>();
  const exceptions = new Set<string>();
  for (const name of suffixesBelow[domain]!.split(' ')) {
    if (name.startsWith('!')) exceptions.add(name.slice(1));
    else addNode(nodes, name);
  }
  const branch = { nodes, exceptions };
  branches.set(domain, branch);
  return branch;
}

/** Adds a name, and its parents as inner nodes. */
function addNode(nodes: Map<string, boolean>, name: string): void {
  nodes.set(name, true);
  if (name === ITSELF) return;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const above = name.slice(dot + 1);
    if (!nodes.has(above)) nodes.set(above, false);
  }
}
