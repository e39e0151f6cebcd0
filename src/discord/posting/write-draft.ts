import { randomUUID } from 'node:crypto';
import type { ChatInputCommandInteraction } from 'discord.js';
import { UserError } from '#src/errors.ts';
import type { Asker } from '../asker.ts';
import { typedMoment } from './moments.ts';
import { namedAccounts } from './named-accounts.ts';
import type { OfferedPicture, PostDraft, Posting } from './posting.ts';

/** The draft that a command begins; what cannot be meant is a {@link UserError}. */
export function beginDraft(
  { options }: ChatInputCommandInteraction,
  { posting, asker }: { readonly posting: Posting; readonly asker: Asker },
): PostDraft {
  const { words, zone, server, id: owner } = asker;
  const way = options.getSubcommand();
  const picture = options.getAttachment('picture');
  const altText = options.getString('alt')?.trim();
  const offered: OfferedPicture | undefined = picture
    ? { url: picture.url, sizeBytes: picture.size, ...(altText !== undefined && altText !== '' && { altText }) }
    : undefined;
  const when =
    way === 'schedule' ? { at: typedMoment(options.getString('time', true), { zone, posting, words }) } : way === 'queue' ? 'queue' : 'now';
  return {
    id: randomUUID(),
    owner,
    server: server?.id,
    zone,
    when,
    text: withLink(options.getString('text'), options.getString('link'), asker),
    accounts: namedAccounts(options.getString('accounts'), posting, words),
    tooLong: options.getString('long') === 'truncate' ? 'truncate' : 'thread',
    ...(offered && { offered }),
  };
}

/** Fetches the picture of a draft before its address is good for nothing any more. */
export async function withPicture(
  draft: PostDraft,
  { posting, asker }: { readonly posting: Posting; readonly asker: Asker },
): Promise<PostDraft> {
  const { offered, picture } = draft;
  if (!offered || picture) return draft;
  const kept = await posting.keepPicture(offered, asker.signal);
  if (typeof kept === 'string') throw new UserError(asker.words.posting.errors[kept]);
  return { ...draft, picture: kept };
}

function withLink(text: string | null, link: string | null, { words }: Asker): string {
  const said = (text ?? '').trim();
  const address = link?.trim() ?? '';
  if (address === '') return said;
  if (!/^https?:\/\/[^\s<>]+$/iu.test(address) || !URL.canParse(address)) throw new UserError(words.posting.errors.noLink);
  return `${said} ${address}`.trim();
}
