/** The data of each server-sent event in a body, as it arrives. */
export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let data: string[] = [];
  for await (const line of linesIn(body)) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
    else if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    }
  }
  if (data.length > 0) yield data.join('\n');
}

async function* linesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
