type Data = string | number | { readonly [key: string]: Data };

const STRING = 2;
const UINT16 = 5;
const UINT32 = 6;
const MAP = 7;

const meta = (type: number, size: number): number => (type << 5) | size;
const LONG = 29;
/** From 29 on the size has its own byte. */
const textHead = (size: number): Buffer =>
  size < LONG ? Buffer.of(meta(STRING, size)) : Buffer.of(meta(STRING, LONG), size - LONG);

function encoded(data: Data): Buffer {
  if (typeof data === 'string') return Buffer.concat([textHead(data.length), Buffer.from(data)]);
  if (typeof data === 'number') {
    const bytes = Buffer.alloc(5, meta(UINT32, 4));
    bytes.writeUInt32BE(data, 1);
    return bytes;
  }
  const members = Object.entries(data);
  return Buffer.concat([
    Buffer.of(meta(MAP, members.length)),
    ...members.flatMap(([key, value]) => [encoded(key), encoded(value)]),
  ]);
}

const short = (value: number): Buffer => Buffer.of(meta(UINT16, 2), value >> 8, value & 0xff);

const SEPARATOR = 16;

/** A database of IPv4 networks in MaxMind's published format: binary search tree, data section, metadata. */
export function mmdbOf(networks: Readonly<Record<string, Data>>): Buffer {
  const nodes: [Child, Child][] = [[undefined, undefined]];
  const contents: Buffer[] = [];
  let length = 0;
  for (const [network, data] of Object.entries(networks)) {
    const [address = '', bits = ''] = network.split('/');
    const at = length;
    contents.push(encoded(data));
    length += contents.at(-1)!.length;
    insert(nodes, address.split('.').map(Number), Number(bits), { at });
  }
  const pointer = (child: Child): number =>
    child === undefined ? nodes.length : typeof child === 'number' ? child : nodes.length + SEPARATOR + child.at;
  const tree = Buffer.concat(
    nodes.flat().map((child) => {
      const bytes = Buffer.alloc(3);
      bytes.writeUIntBE(pointer(child), 0, 3);
      return bytes;
    }),
  );
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR), ...contents, aboutOf(nodes.length)]);
}

/** Another node, a leaf, or no data. */
type Child = number | { readonly at: number } | undefined;

function insert(
  nodes: [Child, Child][],
  address: readonly number[],
  bits: number,
  leaf: { readonly at: number },
): void {
  let node = nodes[0]!;
  for (let bit = 0; bit < bits; bit++) {
    const side = ((address[bit >> 3]! >> (7 - (bit & 7))) & 1) as 0 | 1;
    if (bit === bits - 1) node[side] = leaf;
    else {
      if (typeof node[side] !== 'number') node[side] = nodes.push([undefined, undefined]) - 1;
      node = nodes[node[side] as number]!;
    }
  }
}

function aboutOf(nodeCount: number): Buffer {
  const members: readonly (readonly [string, Buffer])[] = [
    ['node_count', encoded(nodeCount)],
    ['record_size', short(24)],
    ['ip_version', short(4)],
    ['database_type', encoded('Test')],
    ['binary_format_major_version', short(2)],
    ['binary_format_minor_version', short(0)],
  ];
  return Buffer.concat([
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    Buffer.of(meta(MAP, members.length)),
    ...members.flatMap(([key, value]) => [encoded(key), value]),
  ]);
}
