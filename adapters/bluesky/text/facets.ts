import { spansOf, type Span } from './spans.ts';
import { toByteOffset } from './offsets.ts';

/** What in a text means something, as the protocol has it: offsets count bytes of UTF-8. */
export interface Facet {
  readonly index: { readonly byteStart: number; readonly byteEnd: number };
  readonly features: readonly [{ readonly $type: string; readonly [key: string]: string }];
}

/** The facets of a text; a mention of nobody stays text. */
export async function facetsOf(text: string, didOf: (handle: string) => Promise<string | undefined>): Promise<readonly Facet[]> {
  const facets = await Promise.all(
    spansOf(text).map(async (span): Promise<readonly Facet[]> => {
      const index = { byteStart: toByteOffset(text, span.start), byteEnd: toByteOffset(text, span.end) };
      const feature = await featureOf(span, didOf);
      return feature ? [{ index, features: [feature] }] : [];
    }),
  );
  return facets.flat();
}

async function featureOf(
  { kind, value }: Span,
  didOf: (handle: string) => Promise<string | undefined>,
): Promise<Facet['features'][0] | undefined> {
  if (kind === 'link') return { $type: 'app.bsky.richtext.facet#link', uri: value };
  if (kind === 'tag') return { $type: 'app.bsky.richtext.facet#tag', tag: value };
  const did = await didOf(value);
  return did === undefined ? undefined : { $type: 'app.bsky.richtext.facet#mention', did };
}
