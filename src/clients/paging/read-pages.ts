/** A page that was read, and whether it is the last one. */
interface ReadPage<P> {
  readonly page: P;
  readonly isEnd: boolean;
}

/** Reads the pages of a platform in order, at most `most`. A repeated cursor is the end, because some platforms never omit the cursor. */
export async function* readPages<P extends { readonly cursor?: string | undefined }>(
  read: (cursor: string | undefined) => Promise<P>,
  most: number,
): AsyncGenerator<ReadPage<P>, void> {
  const met = new Set<string | undefined>([undefined]);
  let cursor: string | undefined;
  for (let count = 0; count < most; count++) {
    const page = await read(cursor);
    const isEnd = met.has(page.cursor);
    yield { page, isEnd };
    if (isEnd) return;
    cursor = page.cursor;
    met.add(cursor);
  }
}
