export type StreamEvent = { readonly name: string; readonly data: string };

/** Parses a text/event-stream response; comments are skipped. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let name = '';
  let data = '';
  for await (const line of linesOf(body)) {
    if (line.startsWith('event: ')) name = line.slice(7);
    else if (line.startsWith('data: ')) data = line.slice(6);
    else if (line === '' && name !== '') {
      yield { name, data };
      name = '';
      data = '';
    }
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // A list of a million rules is one line in many chunks; joining them once avoids quadratic copying.
  let pieces: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const [first = '', ...rest] = decoder.decode(value, { stream: true }).split('\n');
      pieces.push(first);
      for (const next of rest) {
        yield pieces.join('');
        pieces = [next];
      }
    }
  } finally {
    await reader.cancel();
  }
}
