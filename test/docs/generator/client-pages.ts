import * as social from '#src/clients/social/index.ts';
import * as streaming from '#src/clients/streaming/index.ts';

/** The clients that the reference documents. */
export const clients = [
  { variable: 'bot', className: 'Bot', folder: 'streaming', exports: streaming },
  { variable: 'social', className: 'SocialAsync', folder: 'social', exports: social },
];

/** The signatures of the methods of a client on its pages. */
export function signaturesOf(
  pages: ReadonlyMap<string, string>,
  { variable, folder }: { readonly variable: string; readonly folder: string },
): readonly string[] {
  const texts = [...pages].flatMap(([name, text]) => (name.startsWith(`operations-${folder}-`) ? [text] : []));
  // The first block of a section is the call, the second the example.
  const blocks = texts.flatMap((text) =>
    text
      .split(/^## /m)
      .slice(1)
      .map((section) => /^```ts\n(.*?)\n```/ms.exec(section)?.[1] ?? ''),
  );
  return blocks.flatMap((block) => block.split(`${variable}.`).slice(1)).map((signature) => signature.trim());
}
