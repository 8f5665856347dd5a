/** A small reader of XML that refuses what is not well-formed, so that tests need not trust the writer. */
export type Element = { readonly tag: string; readonly children: readonly Element[]; readonly text: string };

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function readXml(document: string): Element {
  if (/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(document)) throw new Error('forbidden character');
  const body = document.replace(/^<\?xml [^>]*\?>\s*(?:<!DOCTYPE [^>]*>\s*)?/, '');
  const open: { tag: string; children: Element[]; text: string }[] = [{ tag: '', children: [], text: '' }];
  let at = 0;
  for (const found of body.matchAll(/<(\/?)([A-Za-z]\w*)((?: \w+="[^"<&]*")*)(\/?)>/g)) {
    addText(open.at(-1)!, body.slice(at, found.index));
    at = found.index + found[0].length;
    const [, isEnd, tag = '', , isEmpty] = found;
    if (isEnd) close(open, tag);
    else open.push({ tag, children: [], text: '' });
    if (isEmpty) close(open, tag);
  }
  addText(open.at(-1)!, body.slice(at));
  const root = open[0]!;
  if (open.length !== 1 || root.children.length !== 1 || root.text.trim() !== '')
    throw new Error('not one whole element');
  return root.children[0]!;
}

function close(open: { tag: string; children: Element[]; text: string }[], tag: string): void {
  const done = open.pop();
  if (done?.tag !== tag || open.length === 0) throw new Error(`</${tag}> ends nothing`);
  open.at(-1)!.children.push(done);
}

function addText(element: { text: string }, raw: string): void {
  if (raw.includes('<') || raw.includes(']]>')) throw new Error(`bare markup in ${raw}`);
  element.text += raw.replaceAll(/&(\w*;)?/g, (_, name?: string) => {
    const character = entities[name?.slice(0, -1) ?? ''];
    if (character === undefined) throw new Error(`bare & in ${raw}`);
    return character;
  });
}

/** A property list as a value. */
export function plistValue({ tag, children, text }: Element): unknown {
  const readers: Readonly<Record<string, () => unknown>> = {
    plist: () => plistValue(children[0]!),
    string: () => text,
    integer: () => Number(text),
    true: () => true,
    false: () => false,
    array: () => children.map(plistValue),
    dict: () =>
      Object.fromEntries(
        Array.from({ length: children.length / 2 }, (_, pair) => [
          children[2 * pair]!.text,
          plistValue(children[2 * pair + 1]!),
        ]),
      ),
  };
  const read = readers[tag];
  if (!read) throw new Error(`<${tag}> is no part of a property list`);
  return read();
}
