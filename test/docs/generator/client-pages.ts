import * as social from '#src/clients/social/index.ts';
import * as streaming from '#src/clients/streaming/index.ts';

/** The clients that the reference documents. */
export const clients = [
  { variable: 'bot', className: 'Bot', page: 'bot.md', folder: 'streaming', exports: streaming },
  { variable: 'social', className: 'SocialAsync', page: 'social.md', folder: 'social', exports: social },
];

/** Whether a page of the reference has signatures, which the compiler needs seconds to read. */
export function hasSignatures(name: string): boolean {
  return clients.some(({ page, folder }) => name === page || name.startsWith(`operations-${folder}-`));
}

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
